// A buyer who has lost a code and moved a site solves both problems in the buyer portal, on a phone.
import { listMailbox } from '@counterfoil/mail/outbox/queries';
import { mailerOf, sendAllMail } from '@counterfoil/mail/testing/send-all-mail';
import { expect, it } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, narrowDark } from './browser.ts';
import { describeLicensing, openLicensingSite } from './licensing-site.ts';

const email = 'ada@buyers.example';
const open = () => openLicensingSite({ settings: { DEMO: 'on' } });

describeLicensing(
  'the buyer portal',
  (site) => {
    const call = async (key: string, method: string, path: string, body: object | Buffer) => {
      const type = Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json';
      const response = await fetch(`${site.origin}${path}`, {
        method,
        headers: { 'x-api-key': key, 'content-type': type },
        body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body),
      });
      return (await response.json()).status as string;
    };

    const waitForLink = async () => {
      const find = async () => {
        await sendAllMail(site);
        const mail = (await listMailbox(site.db, 100)).find((each) => each.recipient === email);
        return mail && /http\S+#token=\S+/.exec(mailerOf(site).render(mail)?.text ?? '')?.[0];
      };
      await expect.poll(find).toBeTruthy();
      return (await find()) ?? '';
    };

    it('a buyer finds a lost code, frees a host, replaces a leaked code and downloads a file', async () => {
      const itemId = await site.item(site.workspaceId, { name: 'Typewriter', version: '1.0.0' });
      const { code } = await site.purchase(site.workspaceId, itemId, { buyerEmail: email });
      const key = await site.apiKey(site.workspaceId, {
        scopes: ['purchases:validate', 'activations:write', 'items:write'],
      });
      const activate = (purchaseCode: string, domain: string) =>
        call(key, 'POST', '/api/v1/activations', { purchase_code: purchaseCode, domain });
      const file = `/api/v1/items/${itemId}/versions/1.0.0/file?file_name=typewriter.zip`;
      expect(await call(key, 'PUT', file, Buffer.from('the file'))).toBe('success');
      expect(await activate(code, 'old.example')).toBe('success');
      expect(await activate(code, 'new.example')).toBe('error');

      const { page, end } = await site.openPage(narrowDark);
      const check = async () => {
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
      };
      await page.goto('/buyers');
      await page.getByLabel('E-mail').fill(email);
      await page.getByRole('button', { name: 'Send me a link' }).click();
      await page.getByRole('status').filter({ hasText: 'on its way' }).waitFor();
      const link = await waitForLink();
      // A mail scanner may open the link first. The link still works afterwards, because only the button uses
      // it up.
      await page.goto(link);
      await page.getByRole('button', { name: 'Open my purchases' }).waitFor();
      expect(page.url()).not.toContain('token');
      await page.goto('about:blank');
      await page.goto(link);
      await page.getByRole('button', { name: 'Open my purchases' }).click();
      await page.getByRole('heading', { name: 'Your purchases' }).waitFor();

      await page.getByRole('link', { name: 'Details of Typewriter' }).click();
      await page.getByRole('heading', { name: 'Typewriter' }).waitFor();
      expect(await page.getByTestId('code').innerText()).toBe(code);
      await page.getByRole('button', { name: 'Release old.example' }).click();
      await page.getByText('In use: 0 of 1').waitFor();
      expect(await activate(code, 'new.example')).toBe('success');

      await page.getByRole('button', { name: 'Replace the code', exact: true }).click();
      await check();
      await page.getByRole('button', { name: 'Yes, replace the code' }).click();
      await page.getByText('The code was replaced.').waitFor();
      const replacement = await page.getByTestId('code').innerText();
      expect(await site.validate(key, code)).toMatchObject({ code: 'purchase_not_found' });
      expect(await site.validate(key, replacement)).toMatchObject({ status: 'success' });

      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download version 1.0.0' }).click();
      expect((await downloading).suggestedFilename()).toBe('typewriter.zip');
      await page.getByRole('link', { name: 'All purchases' }).click();
      const exporting = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download my data' }).click();
      expect((await exporting).suggestedFilename()).toMatch(/^purchases-\d+\.json$/);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('E-mail').waitFor();

      await page.getByRole('button', { name: 'Deutsch' }).click();
      await page.getByRole('button', { name: 'Stattdessen einen Kaufcode verwenden' }).click();
      await page.getByLabel('E-Mail').fill(email);
      await page.getByLabel('Kaufcode').fill(code);
      await page.getByRole('button', { name: 'Öffnen', exact: true }).click();
      await page.getByRole('alert').filter({ hasText: 'Die E-Mail oder der Kaufcode ist falsch.' }).waitFor();
      await page.getByLabel('Kaufcode').fill(replacement);
      await page.getByRole('button', { name: 'Öffnen', exact: true }).click();
      await page.getByText('Sie haben sich mit einem Kaufcode angemeldet.').waitFor();
      await end();
    });
  },
  open,
);
