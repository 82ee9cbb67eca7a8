// With an API key or a panel session, a leaked code can be replaced permanently, and a buyer's name or e-mail
// can be corrected.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bothClients, type TestClient } from '../environment/clients.ts';
import { openCommand, type TestCommand } from '../environment/command.ts';
import { type Given, givenLicensing } from '../environment/given.ts';
import { json, validate } from '../environment/validation-calls.ts';

const masterKey = randomBytes(32).toString('base64');
let given: Given;
let command: TestCommand;
let workspaceId: bigint;
let itemId: bigint;
let key: string;
let clients: TestClient[];

beforeAll(async () => {
  given = await givenLicensing({ MASTER_KEY: masterKey });
  command = await openCommand(given, masterKey);
  workspaceId = await given.workspace();
  itemId = await given.item(workspaceId);
  key = await given.apiKey(workspaceId);
  clients = await bothClients(given, workspaceId);
});

afterAll(async () => {
  await command.close();
  await given.close();
});

const codeOf = async (code: string) => {
  const answer = await validate(given, json({ api_key: key, purchase_code: code }));
  return answer.json().code ?? 'valid';
};
const auditOf = async (id: bigint) =>
  (
    await given.db.query<{ action: string; details: object }>(
      `select action, details from audit_log where workspace_id = $1 and subject_kind = 'purchase'
         and subject_id = $2 and action <> 'purchase_issued' order by id`,
      [workspaceId, String(id)],
    )
  ).rows;

describe.each(['key', 'panel'] as const)('a replacement code (access by %s)', (name) => {
  const client = () => clients.find((each) => each.name === name) as TestClient;

  it('the replacement code is valid at once, and the old code is unknown', async () => {
    const { id, code } = await given.purchase(workspaceId, itemId);
    expect(await codeOf(code)).toBe('valid');
    const answer = await client().send('POST', `/purchases/${id}/reissue`);
    expect(answer.status).toBe(200);
    const { purchase } = answer.body.data;
    expect(purchase.purchase_code).not.toBe(code);
    expect(purchase.code_hint).toBe(`…${purchase.purchase_code.slice(-4)}`);
    expect(await codeOf(code)).toBe('purchase_not_found');
    expect(await codeOf(purchase.purchase_code)).toBe('valid');
    expect((await client().send('GET', `/purchases/${id}`)).body.data).toEqual(answer.body.data);
    const hints = { from: `…${code.slice(-4)}`, to: purchase.code_hint };
    expect(await auditOf(id)).toEqual([{ action: 'purchase_reissued', details: hints }]);
  });

  it('requests with the same Idempotency-Key get the same replacement code', async () => {
    const { id } = await given.purchase(workspaceId, itemId);
    const send = (idempotencyKey: string) =>
      client().send('POST', `/purchases/${id}/reissue`, {}, { 'idempotency-key': idempotencyKey });
    const first = await send('a');
    expect((await send('a')).body.data).toEqual(first.body.data);
    const second = await send('b');
    expect(second.body.data.purchase.purchase_code).not.toBe(first.body.data.purchase.purchase_code);
    expect((await auditOf(id)).length).toBe(2);
  });

  it('no replacement code is issued for a refunded purchase or one of another workspace', async () => {
    const { id } = await given.purchase(workspaceId, itemId, { state: 'refunded' });
    const refused = await client().send('POST', `/purchases/${id}/reissue`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'purchase_state_conflict' } });
    const other = await given.workspace();
    const strange = await given.purchase(other, await given.item(other));
    const unknown = await client().send('POST', `/purchases/${strange.id}/reissue`);
    expect(unknown).toMatchObject({ status: 404, body: { code: 'purchase_not_found' } });
  });
});

describe('a purchase code that was replaced', () => {
  it('neither a sale nor an import can use a purchase code that was replaced', async () => {
    const code = 'Leaked-Code-1';
    const { id } = await given.purchase(workspaceId, itemId, { code });
    const [client] = clients as [TestClient];
    await client.send('POST', `/purchases/${id}/reissue`);
    const sold = await client.send('POST', '/purchases', {
      item_id: Number(itemId),
      purchase_code: code.toLowerCase(),
    });
    expect(sold).toMatchObject({ status: 409, body: { code: 'purchase_code_taken' } });
    const row = `${code},${itemId},19.99,2026-05-04T10:00:00Z`;
    const file = await command.file('sales.csv', `code,item_id,price,date\n${row}\n${row}\n`);
    for (const options of [['--dry-run'], [], ['--update']]) {
      const of = ['--workspace', String(workspaceId), ...options];
      const run = await command.run('import', 'purchases', file, ...of);
      expect(run.out).toContain('0 new');
      expect(run.out).toContain('2 in conflict');
      expect(run.out).toContain('line 2: code was replaced');
    }
    expect(await codeOf(code)).toBe('purchase_not_found');
  });

  it('a sale is refused if its code is replaced while its insert waits', async () => {
    const code = 'Leaked-Code-2';
    const { id } = await given.purchase(workspaceId, itemId, { code });
    const { rows } = await given.db.query<{ code_hash: Buffer }>(
      'select code_hash from purchases where workspace_id = $1 and id = $2',
      [workspaceId, id],
    );
    let sale: ReturnType<TestClient['send']> | undefined;
    await given.db.transaction(async (tx) => {
      await tx.query(
        `insert into retired_codes (workspace_id, code_hash, purchase_id, retired_at)
         values ($1, $2, $3, now())`,
        [workspaceId, rows[0]?.code_hash, id],
      );
      await tx.query(`update purchases set code_hash = sha256('x') where workspace_id = $1 and id = $2`, [
        workspaceId,
        id,
      ]);
      sale = clients[0]?.send('POST', '/purchases', {
        item_id: Number(itemId),
        purchase_code: code,
      });
      await expect
        .poll(async () => {
          const { rows: waiting } = await given.db.query(
            `select 1 from pg_stat_activity where wait_event_type = 'Lock'
               and datname = current_database() and query like 'insert into purchases%'`,
          );
          return waiting.length;
        })
        .toBe(1);
    });
    expect((await sale)?.body.code).toBe('purchase_code_taken');
  });
});

describe.each(['key', 'panel'] as const)('a correction of the buyer of a purchase (access by %s)', (name) => {
  const client = () => clients.find((each) => each.name === name) as TestClient;
  const buyer = { buyerName: 'Bo Ek', buyerEmail: 'bo@x.example' };

  it('a buyer can get a new name and a new e-mail; the audit log contains neither', async () => {
    const { id } = await given.purchase(workspaceId, itemId, buyer);
    const patch = async (body: object) =>
      (await client().send('PATCH', `/purchases/${id}`, { buyer: body })).body.data.purchase.buyer;
    expect(await patch({ name: 'Bo Eck' })).toEqual({ name: 'Bo Eck', email: 'bo@x.example' });
    expect(await patch({ email: ' BO@y.example ' })).toEqual({
      name: 'Bo Eck',
      email: 'bo@y.example',
    });
    expect(await patch({})).toEqual({ name: 'Bo Eck', email: 'bo@y.example' });
    expect(await patch({ name: '', email: '' })).toEqual({ name: '', email: '' });
    expect(await auditOf(id)).toEqual([
      { action: 'purchase_buyer_corrected', details: { fields: ['name'] } },
      { action: 'purchase_buyer_corrected', details: { fields: ['email'] } },
      { action: 'purchase_buyer_corrected', details: { fields: ['name', 'email'] } },
    ]);
  });

  it('a correction is refused if the e-mail is invalid or if the buyer was erased', async () => {
    const { id } = await given.purchase(workspaceId, itemId, buyer);
    const wrong = await client().send('PATCH', `/purchases/${id}`, { buyer: { email: 'nobody' } });
    expect(wrong).toMatchObject({
      status: 400,
      body: { errors: { 'buyer.email': [expect.any(String)] } },
    });
    const unknown = await client().send('PATCH', `/purchases/${id}`, { price: 1 });
    expect(unknown.status).toBe(400);
    await client().send('POST', '/buyers/erase', { purchase_id: Number(id) });
    const again = await client().send('PATCH', `/purchases/${id}`, { buyer: { name: 'Bo' } });
    expect(again).toMatchObject({ status: 409, body: { code: 'buyer_erased' } });
  });
});
