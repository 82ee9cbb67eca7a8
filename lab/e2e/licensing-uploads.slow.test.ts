// A seller uploads media of an item on a phone: with a button, by dropping a file, and with a wrong file.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { makePicture } from '../../services/licensing/server/test/environment/media-files.ts';
import { expectAccessible, waitForNotice } from './browser.ts';
import { describeLicensing } from './licensing-site.ts';

describeLicensing('the licensing panel (uploads of media)', (site) => {
  const choose = async (page: Page, button: string, buffer: Buffer) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: button }).click(),
    ]);
    await chooser.setFiles({ name: 'picture.png', mimeType: 'image/png', buffer });
  };

  const drop = async (page: Page, button: string, bytes: Buffer) => {
    const transfer = await page.evaluateHandle(
      (content) => {
        const given = new DataTransfer();
        given.items.add(new File([new Uint8Array(content)], 'picture.png'));
        return given;
      },
      [...bytes],
    );
    const area = page.locator('.cf-drop').filter({ has: page.getByRole('button', { name: button }) });
    await area.dispatchEvent('drop', { dataTransfer: transfer });
  };

  const isShown = (page: Page, label: string) =>
    page
      .getByRole('img', { name: label })
      .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth);

  it('a person uploads a preview image and a screenshot, and publishes the item', async () => {
    const itemId = await site.item(site.workspaceId, { name: 'Journal', state: 'draft' });
    const { page, end } = await site.visitAsOwner(`/items/${itemId}`, { width: 380 });
    const button = 'Upload Preview picture address';
    await choose(page, button, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    await page.getByRole('alert').filter({ hasText: 'is not a JPEG, PNG or WebP image' }).waitFor();
    await page.getByLabel('Category', { exact: true }).fill('Themes');
    await choose(page, button, await makePicture({ format: 'png', width: 900, height: 600 }));
    await waitForNotice(page, 'File uploaded. The item shows it now.');
    await expect.poll(() => isShown(page, 'Preview of Journal')).toBe(900);
    await expect.poll(() => isShown(page, 'Thumbnail')).toBe(640);
    expect(await page.getByLabel('Thumbnail address').inputValue()).toContain('/media/');
    // The upload keeps what was typed before it and is not saved yet.
    expect(await page.getByLabel('Category', { exact: true }).inputValue()).toBe('Themes');
    await page.getByRole('button', { name: 'Save' }).click();
    await waitForNotice(page, 'Saved.');
    await drop(page, 'Upload files Screenshot addresses', await makePicture({ color: '#0c0' }));
    await expect.poll(() => isShown(page, 'Screenshot 1')).toBe(40);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Withdraw' }).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(380);
    await end();
  });
});
