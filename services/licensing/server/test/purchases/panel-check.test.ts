// POST /panel/workspaces/:id/purchases/check: the panel shows exactly the answer of the API.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Given, givenLicensing } from '../environment/given.ts';
import { givenSignedIn } from '../environment/panel-browser.ts';

let given: Given;

beforeAll(async () => {
  given = await givenLicensing();
});

afterAll(() => given.close());

/** The body without its request id, which differs from call to call. */
const withoutId = (body: { request_id?: string }) => ({ ...body, request_id: undefined });

describe('a check in the panel', () => {
  it.each(['active', 'refunded', 'cancelled', 'disputed'] as const)(
    'the check returns the status and body of the API for a %s purchase',
    async (state) => {
      const workspaceId = await given.workspace();
      const itemId = await given.item(workspaceId, { name: '<script>alert(1)</script>' });
      const { id, code } = await given.purchase(workspaceId, itemId, { state });
      const apiKey = await given.apiKey(workspaceId);
      const payload = { api_key: apiKey, purchase_code: code };
      const api = await given.app.inject({
        method: 'POST',
        url: '/api/purchases/validation',
        payload,
      });
      const member = await givenSignedIn(given, workspaceId, 'member');
      const { body } = await member.post(`${member.base}/purchases/check`, {
        purchase_code: ` ${code.toUpperCase()} `,
      });
      expect(body.data.http_status).toBe(api.statusCode);
      expect(withoutId(body.data.body)).toEqual(withoutId(api.json()));
      expect(body.data.purchase_id).toBe(Number(id));
    },
  );
});

it('a code of another workspace is answered like an unknown code', async () => {
  const [ours, theirs] = [await given.workspace(), await given.workspace()];
  const { code } = await given.purchase(theirs, await given.item(theirs));
  const owner = await givenSignedIn(given, ours);
  const check = async (purchase_code: string) =>
    (await owner.post(`${owner.base}/purchases/check`, { purchase_code })).body.data;
  const [foreign, unknown] = [await check(code), await check('no-such-code')];
  expect(foreign).toMatchObject({ http_status: 404, body: { code: 'purchase_not_found' } });
  expect(withoutId(foreign.body)).toEqual(withoutId(unknown.body));
  expect(foreign).not.toHaveProperty('purchase_id');
});

it('a check with an item id gets the same answer as a publishable key of that item', async () => {
  const workspaceId = await given.workspace();
  const [itemId, otherId] = [await given.item(workspaceId), await given.item(workspaceId)];
  const { code } = await given.purchase(workspaceId, itemId);
  const owner = await givenSignedIn(given, workspaceId);
  const check = async (item: bigint) => {
    const asked = { purchase_code: code, item_id: Number(item) };
    return (await owner.post(`${owner.base}/purchases/check`, asked)).body.data.http_status;
  };
  expect([await check(itemId), await check(otherId)]).toEqual([200, 404]);
  expect(await check(BigInt(Number.MAX_SAFE_INTEGER))).toBe(404);
  for (const item_id of [2 ** 53, 2 ** 63, 1e21]) {
    const refused = await owner.post(`${owner.base}/purchases/check`, {
      purchase_code: code,
      item_id,
    });
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_parameter']);
  }
});

it('only members can check a code, and a blank code is refused', async () => {
  const workspaceId = await given.workspace();
  const owner = await givenSignedIn(given, workspaceId);
  const blank = await owner.post(`${owner.base}/purchases/check`, { purchase_code: '  ' });
  expect(blank.body.data).toMatchObject({
    http_status: 400,
    body: { code: 'invalid_parameter', msg: 'Invalid purchase code' },
  });
  const stranger = await givenSignedIn(given, await given.workspace());
  const asked = { purchase_code: 'x' };
  const refused = await stranger.post(`${owner.base}/purchases/check`, asked);
  expect([refused.status, refused.body.code]).toEqual([404, 'workspace_not_found']);
});
