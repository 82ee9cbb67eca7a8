// People in the wallet panel: second factor, invitations, membership in two packages, and a form that another
// site submits.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { giveMember, givePerson, password } from '../../services/wallet/server/test/environment/people.ts';
import { readCode } from './authenticator.ts';
import { expectAccessible, waitForNotice, waitForRouter } from './browser.ts';
import { describeWallet } from './wallet-site.ts';

/** Calls the service from the page, with the session of the page. */
const ask = (page: Page, path: string, sent: { method?: string; body?: object } = {}) =>
  page.evaluate(
    async ([url, { method = 'GET', body }]) => {
      const json = { 'content-type': 'application/json' };
      const more = body && { headers: json, body: JSON.stringify(body) };
      const answer = await fetch(url, { method, ...more });
      return { status: answer.status, body: await answer.json() };
    },
    [path, sent] as const,
  );

describeWallet('the wallet panel (people)', (site) => {
  let api: string;

  beforeAll(async () => {
    api = `/panel/packages/${site.of.id}`;
  });

  /** Signs out, and expects that the package can no longer be read. */
  const signOut = async (page: Page) => {
    await page.getByRole('button', { name: /Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').waitFor();
    expect((await ask(page, api)).status).toBe(401);
  };

  const enterPassword = async (page: Page, email: string) => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  const enterCode = async (page: Page, code: string) => {
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Verify' }).click();
  };

  it('a person can set up a second factor, use a recovery code once, and remove the factor', async () => {
    const { email } = await giveMember(site, site.of, 'member');
    const { page, end } = await site.visit({ email, password }, '/account');
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Password' }).fill(password);
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    await expectAccessible(page);
    const secret = await dialog.getByTestId('secret').innerText();
    site.ahead.stoppedAtMs = Date.now();
    onTestFinished(() => {
      delete site.ahead.stoppedAtMs;
    });
    const used = readCode(secret, site.clock.now);
    await dialog.getByRole('textbox', { name: 'Code' }).fill(used);
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const [first = '', second = ''] = (await dialog.locator('pre').innerText()).split('\n');
    await dialog.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByText('10 recovery codes left').waitFor();

    await signOut(page);
    await enterPassword(page, email);
    await enterCode(page, used);
    await page.getByText('The code is wrong or was already used').waitFor();
    expect((await ask(page, api)).status).toBe(401);
    await enterCode(page, readCode(secret, new Date(site.clock.now.getTime() + 30_000)));
    await page.waitForURL(`**${site.base}`);
    delete site.ahead.stoppedAtMs;
    expect((await ask(page, '/panel/session')).body.data.second_factor).toBe(true);

    await signOut(page);
    await enterPassword(page, email);
    await enterCode(page, first);
    await page.waitForURL(`**${site.base}`);
    expect((await ask(page, '/panel/session')).body.data.recovery_codes_left).toBe(9);

    await page.goto('/account');
    await page.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByRole('textbox', { name: 'Password' }).fill(password);
    await dialog.getByRole('textbox', { name: 'Code' }).fill(first);
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByText('The code is wrong or was already used').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('textbox', { name: 'Code' }).fill(second);
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Set up' }).waitFor();
    expect((await ask(page, '/panel/session')).body.data.second_factor).toBe(false);
    await signOut(page);
    await enterPassword(page, email);
    await page.waitForURL(`**${site.base}`);
    await end();
  });

  it('an invitation works once, its role is enforced, and a removed member is refused', async () => {
    const { page, faults, close } = await site.visit(site.owner, `${site.base}/team`);
    await page.getByRole('button', { name: 'Invite someone' }).click();
    await page.getByLabel('E-mail').fill('bo@example.com');
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = (await page.getByTestId('secret').innerText()).trim();
    await page.getByRole('button', { name: 'Done' }).click();

    const guest = await site.openPage();
    await guest.page.goto(link);
    await guest.page.getByText('Join as bo@example.com').waitFor();
    expect(guest.page.url()).not.toContain('token');
    await expectAccessible(guest.page);
    await guest.page.getByLabel('Your name').fill('Bo');
    await guest.page.getByRole('textbox', { name: 'Password' }).fill('a long and quiet evening');
    await guest.page.getByRole('button', { name: 'Accept the invitation' }).click();
    await guest.page.waitForURL(`**${site.base}`);
    await guest.page.goto(`${site.base}/settings/credentials`);
    await guest.page.getByText(site.of.uid).waitFor();
    expect(await guest.page.getByRole('button', { name: /Rotate/ }).count()).toBe(0);
    const rotation = { method: 'POST', body: { purpose: 'caller', overlap: '0' } };
    const refused = await ask(guest.page, `${api}/key-pairs/rotate`, rotation);
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    const invitation = { method: 'POST', body: { email: 'cy@example.com', role: 'owner' } };
    expect((await ask(guest.page, `${api}/invitations`, invitation)).status).toBe(403);
    const asCaller = { headers: site.of.headers };
    expect((await fetch(`${site.origin}/api/v1/package`, asCaller)).status).toBe(200);

    const late = await site.openPage();
    await late.page.goto(link);
    await late.page.getByText('This link no longer works').waitFor();

    await page.goto(`${site.base}/team`);
    const row = page.getByRole('row').filter({ hasText: 'bo@example.com' });
    await row.getByRole('combobox', { name: 'Role of Bo' }).click();
    await page.getByRole('option', { name: 'Owner' }).click();
    await waitForNotice(page, 'Role changed');
    const hers = () => ask(guest.page, api, { method: 'PATCH', body: { alert_threshold: 0 } });
    expect((await hers()).status).toBe(200);
    await row.getByRole('button', { name: 'Remove Bo' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await hers()).status).toBe(404);
    expect([...faults, ...guest.faults, ...late.faults]).toEqual([]);
    for (const each of [close, guest.close, late.close]) await each();
  });

  it('the panel shows only data of the selected package if a person has two packages', async () => {
    const other = await site.package({ name: 'Quiet Quay', credit: '70.00' });
    await site.player(site.of, { playerId: 'lane-only', balance: '11.00' });
    await site.player(other, { playerId: 'quay-only', balance: '7.00' });
    const memberships = [site.of, other].map(({ id }) => ({
      tenantId: BigInt(id),
      role: 'owner' as const,
    }));
    const { email } = await givePerson(site, memberships);
    const { page, end } = await site.visit({ email, password }, `${site.base}/players?search=lane`);
    await page.getByRole('link', { name: 'lane-only' }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole('button', { name: /Switch package/ }).click();
    await expectAccessible(page);
    await page.getByRole('menuitem', { name: 'Quiet Quay' }).click();
    await page.waitForURL(`**/p/${other.id}`);
    await waitForRouter(page);
    // The requests so far are ignored, because before the switch the page may have reloaded the credit of the
    // first package.
    asked.length = 0;
    await page.getByText('63.00 EUR').first().waitFor();
    await page.getByRole('link', { name: 'Players', exact: true }).click();
    await page.getByRole('link', { name: 'quay-only' }).waitFor();
    expect(await page.content()).not.toContain('lane-only');
    expect(asked.filter((path) => path.startsWith(`${api}/`))).toEqual([]);
    const players = await ask(page, `/panel/packages/${other.id}/players`);
    expect(players.body.data.players.map((each: { player_id: string }) => each.player_id)).toEqual([
      'quay-only',
    ]);
    const stranger = `/panel/packages/${other.id}/player?player_id=lane-only`;
    expect((await ask(page, stranger)).status).toBe(404);
    await page.goBack();
    await page.goBack();
    await page.getByRole('link', { name: 'lane-only' }).waitFor();
    expect(await page.content()).not.toContain('quay-only');
    await end();
  });

  it('the service refuses a form that another site submits in a signed-in browser', async () => {
    const { page, close } = await site.visit(site.owner);
    const target = `${site.origin}${api}/key-pairs/rotate`;
    const form = `<form method="post" enctype="text/plain" action="${target}">
      <input name='{"purpose":"caller","overlap":"0","x":"' value='"}'></form>
      <script>document.forms[0].submit()</script>`;
    const evil = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end(form),
    );
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
    const { port } = evil.address() as AddressInfo;
    const answer = page.waitForResponse(target);
    // This page of another site submits its form as soon as it loads.
    await page.goto(`http://127.0.0.1:${port}/`, { waitUntil: 'commit' });
    expect((await answer).status()).toBe(403);
    const asCaller = { headers: site.of.headers };
    expect((await fetch(`${site.origin}/api/v1/package`, asCaller)).status).toBe(200);
    evil.close();
    await close();
  });
});
