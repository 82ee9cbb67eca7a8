import { it } from 'vitest';
import { allLooks, expectAccessible } from './browser.ts';
import { describeWalletPages } from './wallet-pages.ts';
import { describeWallet } from './wallet-site.ts';

describeWalletPages(allLooks, expectAccessible);

describeWallet('pages of the wallet panel that a visitor may not see', (site) => {
  it("another's package and the platform's pages say that there is nothing, or no", async () => {
    const other = await site.package();
    const { page, close } = await site.visit(site.owner, `/p/${other.id}/ledger`);
    await page.getByText('Page not found').waitFor();
    await page.goto('/admin/proofs');
    await page.getByText('Only an owner may do this').first().waitFor();
    await close();
  });
});
