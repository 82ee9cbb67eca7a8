// Checks every page of the wallet panel with axe, at both widths and in both colour schemes. Also tests that
// the panel does not show pages for which a person has no permission.
import { it } from 'vitest';
import { describeWalletPages } from './wallet-pages.ts';
import { describeWallet } from './wallet-site.ts';

describeWalletPages();

describeWallet('the wallet panel (pages without permission)', (site) => {
  it('the panel does not show an owner the pages of another package and of administrators', async () => {
    const other = await site.package();
    const { page, close } = await site.visit(site.owner, `/p/${other.id}/ledger`);
    await page.getByText('Page not found').waitFor();
    await page.goto('/admin/proofs');
    await page.getByText('Only an owner may do this').first().waitFor();
    await close();
  });
});
