// People in the licensing panel: invitations, second factor, sessions and passwords.

import { eventually } from '@counterfoil/kit/testing/eventually';
import { sendAllMail } from '@counterfoil/mail/testing/send-all-mail';
import { openSmtpReceiver, readLink, type SmtpReceiver } from '@counterfoil/mail/testing/smtp-receiver';
import type { Page } from 'playwright-core';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { givenPerson, type Person } from '../../services/licensing/server/test/environment/panel-browser.ts';
import { readCode } from './authenticator.ts';
import { expectAccessible, settle, waitForNotice } from './browser.ts';
import { describeLicensing, type LicensingSite, openLicensingSite } from './licensing-site.ts';

interface Member {
  readonly email: string;
  readonly role: string;
}

interface Entry {
  readonly actor: { readonly id: number };
  readonly subject: { readonly id: string };
}

let receiver: SmtpReceiver;
afterAll(() => receiver.close());

/** Opens the site with a mail server. */
async function openWithMail(): Promise<LicensingSite> {
  receiver = await openSmtpReceiver();
  const settings = {
    SMTP_URL: `smtp://127.0.0.1:${receiver.port}`,
    SMTP_TLS: 'off',
    MAIL_FROM: 'mail@service.example',
  };
  return await openLicensingSite({ settings });
}

/** Sends the queued e-mails until one arrives at this address, and returns the link in that e-mail. */
const receiveLink = (site: LicensingSite, to: string): Promise<string> =>
  eventually(async () => {
    await sendAllMail(site);
    const mail = receiver.taken.find((each) => each.to === to);
    if (!mail) throw new Error('no mail yet');
    return readLink(mail);
  });

const describeWithMail = (title: string, body: (site: LicensingSite) => void) =>
  describeLicensing(title, body, openWithMail);

describeWithMail('the licensing panel (people)', (site) => {
  it('an invitation link is accepted once, and the audit log records the invitation', async () => {
    const { page, faults, close } = await site.visitAsOwner('/team');
    await page.getByRole('button', { name: 'Invite someone' }).click();
    await page.getByLabel('E-mail').fill('bo@example.com');
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = (await page.getByTestId('secret').innerText()).trim();
    await page.getByText('The link is sent by e-mail').waitFor();
    await expectAccessible(page);
    expect(await receiveLink(site, 'bo@example.com')).toBe(link);

    const guest = await site.openPage();
    await guest.page.goto(link);
    await guest.page.getByText('Join as bo@example.com').waitFor();
    expect(guest.page.url()).not.toContain('token');
    await expectAccessible(guest.page);
    await guest.page.getByLabel('Your name').fill('Bo');
    await guest.page.getByRole('textbox', { name: 'Password' }).fill('a long and quiet evening');
    await guest.page.getByRole('button', { name: 'Accept the invitation' }).click();
    await guest.page.waitForURL(`**/w/${site.workspaceId}`);
    await guest.page.goto(`/w/${site.workspaceId}/settings/api-key`);
    await guest.page.getByRole('heading', { name: 'API key', exact: true }).waitFor();
    expect(await guest.page.getByRole('button', { name: 'Generate a key' }).count()).toBe(0);

    const late = await site.openPage();
    await late.page.goto(link);
    await late.page.getByText('This link no longer works').waitFor();

    await page.goto(`/w/${site.workspaceId}/team`);
    await page.getByRole('row').filter({ hasText: 'bo@example.com' }).waitFor();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('cell', { name: /invit/i }).first().waitFor();
    expect([...faults, ...guest.faults]).toEqual([]);
    for (const each of [close, guest.close, late.close]) await each();
  });

  it('a person resets a forgotten password with a link from an e-mail', async () => {
    const person = await givenPerson(site, [{ workspaceId: site.workspaceId }]);
    const { page, faults, close } = await site.openPage();
    await page.goto('/sign-in');
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('a link is on its way').waitFor();
    await expectAccessible(page);
    await page.goto(await receiveLink(site, person.email));
    await page.getByText(`Choose a new password for ${person.email}`).waitFor();
    await page.getByRole('textbox', { name: 'Password' }).fill('a long and quiet morning');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/sign-in');
    expect(faults).toEqual([]);
    await close();
  });

  it('a person sets up a second factor by QR code, and signs in with a recovery code', async () => {
    const person = await givenPerson(site, [{ workspaceId: site.workspaceId }]);
    const { page, end } = await site.visit(person, '/account');
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Password' }).fill(person.password);
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    await expectAccessible(page);
    site.ahead.stoppedAtMs = Date.now();
    onTestFinished(() => {
      delete site.ahead.stoppedAtMs;
    });
    const code = readCode(await dialog.getByTestId('secret').innerText(), site.clock.now);
    await dialog.getByRole('textbox', { name: 'Code' }).fill(code);
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const codes = (await dialog.locator('pre').innerText()).split('\n');
    expect(codes).toHaveLength(10);
    await dialog.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByText('10 recovery codes left').waitFor();
    delete site.ahead.stoppedAtMs;

    await page.getByRole('button', { name: /Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(person.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('The code is wrong or was already used').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Code').fill(codes[0] ?? '');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.waitForURL(`**/w/${site.workspaceId}`);
    await end();
  });

  it('when a person changes the password, the other sessions end at their next request', async () => {
    const person = await givenPerson(site, [{ workspaceId: site.workspaceId }]);
    const here = await site.visit(person);
    // The list of items sends no periodic requests, so only the click below can reveal that the session has
    // ended.
    const there = await site.visit(person, `/w/${site.workspaceId}/items`);
    await settle(there.page);
    await here.page.goto('/account');
    await here.page.getByRole('table', { name: 'Sessions' }).getByRole('row').nth(2).waitFor();
    await here.page.getByLabel('Current password').fill(person.password);
    await here.page.getByLabel('New password').fill('another quiet evening in May');
    await here.page.getByRole('button', { name: 'Change password' }).click();
    await waitForNotice(here.page, 'All your other sessions are ended');
    await there.page.getByRole('link', { name: 'Purchases', exact: true }).click();
    await there.page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await here.page.goto(`/w/${site.workspaceId}/team`);
    await here.page.getByRole('heading', { name: 'Team' }).waitFor();
    expect([...here.faults, ...there.faults]).toEqual([]);
    await here.close();
    await there.close();
  });

  /** Sends a request with the session of the page. */
  const ask = (page: Page, path: string) =>
    page.evaluate(async (address) => {
      const answer = await fetch(address);
      return { status: answer.status, body: await answer.json() };
    }, path);

  it('an owner can change roles and remove a member; the last owner cannot be removed', async () => {
    const workspaceId = await site.workspace({ name: 'Rookery' });
    const base = `/panel/workspaces/${workspaceId}`;
    const people = {
      owner: await givenPerson(site, [{ workspaceId }]),
      removed: await givenPerson(site, [{ workspaceId, role: 'member' }]),
      leaving: await givenPerson(site, [{ workspaceId, role: 'member' }]),
    };
    const open = (person: Person) => site.visit(person, `/w/${workspaceId}/team`);
    const [owner, removed, leaving] = [
      await open(people.owner),
      await open(people.removed),
      await open(people.leaving),
    ];
    const readTeam = async () => {
      const { body } = await ask(owner.page, `${base}/members`);
      return body.data.members.map((each: Member) => [each.email, each.role]);
    };
    const rowOf = (person: Person) => owner.page.getByRole('row').filter({ hasText: person.email });

    await rowOf(people.removed).getByRole('combobox').click();
    await owner.page.getByRole('option', { name: 'Owner' }).click();
    await waitForNotice(owner.page, 'Role changed');
    expect(await readTeam()).toContainEqual([people.removed.email, 'owner']);
    await removed.page.reload();
    await removed.page.getByRole('button', { name: 'Invite someone' }).waitFor();

    await rowOf(people.removed)
      .getByRole('button', { name: /^Remove/ })
      .click();
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await rowOf(people.removed).waitFor({ state: 'detached' });
    expect((await ask(removed.page, `${base}/items`)).status).toBe(404);
    await removed.page.getByRole('link', { name: 'Items', exact: true }).click();
    await removed.page.getByText('Page not found').waitFor();

    await leaving.page.getByRole('button', { name: 'Leave' }).click();
    await leaving.page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await leaving.page.waitForURL((url) => !url.pathname.startsWith('/w/'));
    expect((await ask(leaving.page, base)).status).toBe(404);

    await owner.page.reload();
    await rowOf(people.owner).getByRole('button', { name: 'Leave' }).click();
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await waitForNotice(owner.page, 'The last owner or administrator must stay');
    expect(await readTeam()).toEqual([[people.owner.email, 'owner']]);
    await owner.page.keyboard.press('Escape');

    await owner.page.getByRole('link', { name: 'Audit log' }).click();
    const rows = owner.page.getByRole('table', { name: 'Audit log' }).getByRole('row');
    await owner.page.getByLabel('Action, e.g. role changed').fill('Role changed');
    await expect.poll(() => rows.count()).toBe(2);
    await rows.filter({ hasText: `person ${people.removed.id}` }).waitFor();
    await owner.page.getByLabel('Action, e.g. role changed').fill('member_removed');
    await rows.filter({ hasText: `person ${people.leaving.id}` }).waitFor();
    expect(await rows.count()).toBe(3);
    await expectAccessible(owner.page);
    const { body } = await ask(owner.page, `${base}/audit-log?action=member_removed`);
    expect(body.data.entries.map((each: Entry) => [each.actor.id, each.subject.id])).toEqual([
      [Number(people.leaving.id), String(people.leaving.id)],
      [Number(people.owner.id), String(people.removed.id)],
    ]);
    const watched = [owner, removed, leaving];
    expect(watched.flatMap(({ faults }) => faults)).toEqual([]);
    for (const { close } of watched) await close();
  });
});
