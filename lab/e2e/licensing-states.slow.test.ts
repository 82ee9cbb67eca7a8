// Changes of a purchase after the sale, checked on the page and through the API.
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible, settle, waitForNotice } from './browser.ts';
import { describeLicensing } from './licensing-site.ts';

interface Listed {
  readonly buyer: { readonly name: string };
}

describeLicensing('the licensing panel (purchases)', (site) => {
  let key = '';
  let itemId = 0n;

  beforeAll(async () => {
    key = await site.apiKey(site.workspaceId);
    itemId = await site.item(site.workspaceId, { name: 'Journal' });
  });

  /** Validates the code as a buyer's plug-in does. */
  const validate = async (code: string) => {
    const response = await fetch(`${site.origin}/api/purchases/validation`, {
      method: 'POST',
      headers: { 'x-api-key': key },
      body: new URLSearchParams({ purchase_code: code }),
    });
    const answer = (await response.json()) as {
      status: string;
      code?: string;
      data?: { purchase: { supported_until?: string } };
    };
    return { http: response.status, ...answer };
  };

  const open = (purchaseId: bigint) => site.visitAsOwner(`/purchases/${purchaseId}`);

  /** Waits for the expected answer, because a change of state takes effect within seconds. */
  const expectAnswer = (code: string, answer: object) =>
    expect.poll(() => validate(code)).toMatchObject(answer);

  it('a code is invalid after a dispute is opened, and valid again after the dispute is won', async () => {
    const { id, code } = await site.purchase(site.workspaceId, itemId);
    await expectAnswer(code, { http: 200, status: 'success' });
    const { page, end } = await open(id);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Mark as disputed' }).click();
    await dialog.getByText('invalid until you win the dispute').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await validate(code)).toMatchObject({ http: 200, status: 'success' });

    await page.getByRole('button', { name: 'Mark as disputed' }).click();
    await dialog.getByRole('button', { name: 'Mark as disputed' }).click();
    await page.getByText('Disputed', { exact: true }).waitFor();
    await expectAnswer(code, { http: 404, status: 'error', code: 'purchase_disputed' });
    expect(await page.getByRole('button', { name: 'Cancel purchase' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Extend support' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Dispute won' }).click();
    await dialog.getByRole('button', { name: 'Dispute won' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    await expectAnswer(code, { http: 200, status: 'success' });
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page
      .getByRole('cell', { name: /dispute/i })
      .first()
      .waitFor();
    await end();
  });

  it('a purchase is cancelled permanently after the last 4 characters of its code were typed', async () => {
    const { id, code } = await site.purchase(site.workspaceId, itemId);
    const { page, end } = await open(id);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Cancel purchase' }).click();
    const confirm = dialog.getByRole('button', { name: 'Cancel purchase' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel(/^Type/).fill('nope');
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel(/^Type/).fill(code.slice(-4));
    await confirm.click();
    await page.getByText('This state is final and cannot be changed.').waitFor();
    await expectAnswer(code, { http: 404, status: 'error', code: 'purchase_cancelled' });
    await expectAccessible(page);
    await page.goto(`/w/${site.workspaceId}/purchases?state=cancelled`);
    await page.getByRole('link', { name: code.slice(-4) }).waitFor();
    await end();
  });

  it('the panel extends support but never shortens it; the API returns the new end of support', async () => {
    const { id, code } = await site.purchase(site.workspaceId, itemId, {
      supportedUntil: new Date('2031-03-31T12:00:00Z'),
    });
    const supportOf = async () => (await validate(code)).data?.purchase.supported_until;
    expect(await supportOf()).toBe('2031-03-31T12:00:00Z');
    const { page, end } = await open(id);
    const until = page.getByLabel('Support until');
    await until.fill('2030-01-01');
    await page.getByRole('button', { name: 'Extend support' }).click();
    await page.getByRole('alert').waitFor();
    expect(await until.inputValue()).toBe('2030-01-01');
    expect(await supportOf()).toBe('2031-03-31T12:00:00Z');
    await expectAccessible(page);

    await until.fill('2032-02-29');
    await page.getByRole('button', { name: 'Extend support' }).click();
    await waitForNotice(page, 'Support extended.');
    await expect.poll(supportOf).toBe('2032-02-29T23:59:59Z');
    await page.reload();
    await until.waitFor();
    expect(await until.inputValue()).toBe('2032-02-29');
    await end();
  });

  it('the form keeps a typed end of support when the purchase changes in the meantime', async () => {
    const { id } = await site.purchase(site.workspaceId, itemId, {
      supportedUntil: new Date('2031-03-31T12:00:00Z'),
    });
    const { page, end } = await open(id);
    const until = page.getByLabel('Support until');
    await until.fill('2033-05-06');
    await page.getByLabel('Buyer’s name').fill('Grace');
    await page.getByRole('button', { name: 'Correct buyer' }).click();
    await page.getByText(/^Grace/).waitFor();
    expect(await until.inputValue()).toBe('2033-05-06');
    await page.getByRole('button', { name: 'Extend support' }).click();
    await waitForNotice(page, 'Support extended.');
    expect(await until.inputValue()).toBe('2033-05-06');
    await end();
  });

  it("the panel finds purchases by the buyer's name and e-mail address, and by state", async () => {
    const sell = (buyerName: string, state: 'active' | 'refunded' | 'cancelled' = 'active') =>
      site.purchase(site.workspaceId, itemId, {
        buyerName,
        buyerEmail: `${buyerName.replace(' ', '.')}@buyers.example`,
        state,
      });
    for (const name of ['Greta Grebe', 'Gregor Grebe', 'Ida Grebe']) await sell(name);
    await sell('Greta Grebe', 'refunded');
    await sell('Otto Owl', 'cancelled');
    const { page, end } = await site.visitAsOwner('/purchases');
    const search = page.getByLabel('Buyer’s name or e-mail');
    const rows = page.getByRole('table', { name: 'Purchases' }).getByRole('row');
    const choose = async (state: string) => {
      await page.getByRole('combobox', { name: 'State' }).click();
      await page.getByRole('option', { name: state }).click();
    };
    /** Expects that both the API and the page list exactly the purchases of these buyers, in this order. */
    const expectFound = async (query: string, ...names: string[]) => {
      const path = `/panel/workspaces/${site.workspaceId}/purchases?${query}`;
      const answer = await page.evaluate(async (address) => (await fetch(address)).json(), path);
      const found = answer.data.purchases.map((each: Listed) => each.buyer.name);
      expect(found).toEqual(names);
      await expect.poll(() => rows.count()).toBe(names.length + 1);
      const shown = (await rows.allInnerTexts()).slice(1);
      for (const [place, name] of names.entries()) expect(shown[place]).toContain(name);
    };
    await search.fill('gre');
    await expectFound('buyer_name=gre', 'Greta Grebe', 'Gregor Grebe', 'Greta Grebe');
    await search.fill('GRETA.GREBE@buyers.example');
    await expectFound('buyer_email=greta.grebe@buyers.example', 'Greta Grebe', 'Greta Grebe');
    await choose('Refunded');
    await expectFound('buyer_email=greta.grebe@buyers.example&state=refunded', 'Greta Grebe');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await settle(page);
    await choose('Cancelled');
    await expect.poll(() => rows.filter({ hasText: 'Otto Owl' }).count()).toBe(1);
    expect(await rows.filter({ hasText: 'Grebe' }).count()).toBe(0);
    await search.fill('nobody of that name');
    await page.getByText('No matches').waitFor();
    await end();
  });
});
