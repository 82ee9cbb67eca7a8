// Unusual use of the licensing panel: a second invitation link, a cleared search, text without spaces.
import { expect, it } from 'vitest';
import { expectNoSidewaysScroll, narrowDark, settle, wideLight } from './browser.ts';
import { describeLicensing } from './licensing-site.ts';

describeLicensing('the licensing panel (unusual use)', (site) => {
  const invite = async (email: string): Promise<string> => {
    const { page, close } = await site.visitAsOwner('/team');
    await page.getByRole('button', { name: 'Invite someone' }).click();
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = (await page.getByTestId('secret').innerText()).trim();
    await close();
    return link;
  };

  it('the panel opens a valid link after an invalid link, and removes the token from the URL', async () => {
    const link = await invite('second@example.com');
    const { page, end } = await site.openPage();
    await page.goto('/welcome#token=dead');
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await page.goto(link);
    await page.getByText('Join as second@example.com').waitFor();
    expect(page.url()).not.toContain('token');
    await end();
  });

  it('the panel sends no search if the text is cleared before the search delay has passed', async () => {
    await site.item(site.workspaceId, { name: 'Still listed' });
    const { page, close } = await site.visitAsOwner('/items');
    await page.getByRole('link', { name: 'Still listed' }).waitFor();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const search = page.getByLabel('Search name or tag');
    await search.fill('nothing has this name');
    await page.getByRole('button', { name: 'Clear' }).click();
    // Runs the clock for longer than the delay after which a search is sent.
    await page.clock.runFor(5000);
    await page.clock.resume();
    expect(await search.inputValue()).toBe('');
    expect(page.url()).not.toContain('search');
    await page.getByRole('link', { name: 'Still listed' }).waitFor();
    await close();
  });

  it.each([narrowDark, wideLight])('the panel wraps a long e-mail address at $width px', async (look) => {
    const email = `${'w'.repeat(240)}@x.example`;
    await invite(email);
    const { page, close } = await site.visitAsOwner('/team', look);
    await page.getByRole('cell', { name: email, exact: true }).waitFor();
    await settle(page);
    await expectNoSidewaysScroll(page);
    const withdraw = page.getByRole('button', { name: 'Withdraw' }).first();
    const box = await withdraw.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 9999)).toBeLessThan(look.width);
    await close();
  });
});
