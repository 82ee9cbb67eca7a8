// Import and export in the panel: problems are reported by row, a repeated import changes nothing, and no
// exported cell runs as a formula.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openCountedApp } from '../environment/counted-app.ts';
import { type Given, givenLicensing } from '../environment/given.ts';
import { givenSignedIn } from '../environment/panel-browser.ts';

let given: Given;

beforeAll(async () => {
  given = await givenLicensing();
});

afterAll(() => given.close());

type Signed = Awaited<ReturnType<typeof givenSignedIn>>;

async function send(person: Signed, file: string, query = '', type = 'text/csv') {
  const answer = await given.app.inject({
    method: 'POST',
    url: `${person.base}/purchases/import${query}`,
    headers: { cookie: person.cookie, origin: 'http://127.0.0.1:4100', 'content-type': type },
    payload: file,
  });
  return { status: answer.statusCode, text: answer.body };
}

const lastLine = (text: string) => JSON.parse(text.trim().split('\n').at(-1) ?? '');

const list = async (person: Signed) => (await person.get(`${person.base}/purchases`)).body.data.purchases;

async function givenSeller() {
  const workspaceId = await given.workspace();
  const itemId = await given.item(workspaceId);
  const owner = await givenSignedIn(given, workspaceId);
  return { workspaceId, itemId, owner };
}

const fileOf = (itemId: bigint) =>
  `code,item_id,price,date,buyer_name\ncode-1,${itemId},19.99,2026-01-02T00:00:00Z,=1+1\ncode-2,${itemId},nonsense,2026-01-02T00:00:00Z,Bo\n`;

describe('an import in the panel', () => {
  it('valid rows are imported, invalid rows are reported by line, and an audit line is written', async () => {
    const { itemId, owner } = await givenSeller();
    const { status, text } = await send(owner, fileOf(itemId));
    expect(status).toBe(200);
    const { done } = lastLine(text);
    expect(done.counts).toMatchObject({ read: 2, inserted: 1, invalid: 1 });
    expect(done.problems).toMatchObject([{ line: 3, field: 'price' }]);
    expect(JSON.parse(text.split('\n')[0] ?? '')).toHaveProperty('progress.part');
    expect(await list(owner)).toHaveLength(1);
    const { body } = await owner.get(`${owner.base}/audit-log?action=purchases_imported`);
    expect(body.data.entries).toMatchObject([{ actor: { kind: 'person' }, details: { inserted: 1 } }]);
    expect(text + body).not.toContain('code-2');
  });

  it('the import changes nothing if the same file is imported again', async () => {
    const { itemId, owner } = await givenSeller();
    await send(owner, fileOf(itemId));
    const { done } = lastLine((await send(owner, fileOf(itemId))).text);
    expect(done.counts).toMatchObject({ inserted: 0, unchanged: 1 });
    expect(await list(owner)).toHaveLength(1);
  });

  it('the import changes nothing and is not audited if it is a dry run', async () => {
    const { itemId, owner } = await givenSeller();
    const { done } = lastLine((await send(owner, fileOf(itemId), '?dry_run=true')).text);
    expect(done).toMatchObject({ dry_run: true, counts: { inserted: 1 } });
    expect(await list(owner)).toHaveLength(0);
    const { body } = await owner.get(`${owner.base}/audit-log?action=purchases_imported`);
    expect(body.data.entries).toEqual([]);
  });

  it('the import reads each field from the column to which the person has mapped it', async () => {
    const { itemId, owner } = await givenSeller();
    const file = `Key;Product;price;date\nk-1;${itemId};5;2026-01-02T00:00:00Z\n`;
    const query = `?delimiter=${encodeURIComponent(';')}&map=code%3DKey&map=item_id%3DProduct`;
    expect(lastLine((await send(owner, file, query)).text).done.counts.inserted).toBe(1);
  });

  it('an import of a file without a header is reported, and leaves no temporary file', async () => {
    const { owner } = await givenSeller();
    const { text } = await send(owner, '');
    expect(lastLine(text).failed.msg).toContain('header');
    expect(await readdir(join(given.config.filesDir, 'drafts'))).toEqual([]);
  });

  it('an import from another site gets 403, and a person who is not a member gets 404', async () => {
    const { itemId, owner } = await givenSeller();
    const forged = await given.app.inject({
      method: 'POST',
      url: `${owner.base}/purchases/import`,
      headers: { cookie: owner.cookie, origin: 'https://evil.example', 'content-type': 'text/csv' },
      payload: fileOf(itemId),
    });
    expect([forged.statusCode, forged.json().code]).toEqual([403, 'cross_site_refused']);
    const form = await send(owner, fileOf(itemId), '', 'text/plain');
    expect(form.status).toBe(403);
    const stranger = await givenSignedIn(given, await given.workspace());
    expect((await send({ ...stranger, base: owner.base }, fileOf(itemId))).status).toBe(404);
    expect(await list(owner)).toHaveLength(0);
  });
});

describe('an export in the panel', () => {
  const fetch = (person: Signed, query = '') =>
    given.app.inject({
      url: `${person.base}/purchases/export${query}`,
      headers: { cookie: person.cookie },
    });

  it('an export from a standby has the lag in a header, and releases its database connection', async () => {
    const { itemId, owner } = await givenSeller();
    await send(owner, fileOf(itemId));
    const replica = { url: given.config.databaseUrl, maxLagMs: 60_000 };
    const near = await openCountedApp({ ...given, config: { ...given.config, replica } });
    onTestFinished(near.close);
    const whole = (await fetch(owner)).body;
    const asked = { url: `${owner.base}/purchases/export`, headers: { cookie: owner.cookie } };
    for (let n = 1; n <= 6; n++) {
      await eventually(async () => {
        const answer = await near.app.inject(asked);
        expect(answer.headers).toHaveProperty('x-replica-lag-seconds');
        expect(answer.body).toBe(whole);
      });
    }
  });

  it('an export in the panel masks codes and neutralises formulas', async () => {
    const { itemId, owner } = await givenSeller();
    await send(owner, fileOf(itemId));
    await send(owner, fileOf(itemId).replace('code-1', 'code-3').replace('=1+1', 'Al;@SUM(1)'));
    const answer = await fetch(owner);
    expect(answer.body).toContain(',"Al;@SUM(1)",');
    expect(answer.headers['content-disposition']).toBe('attachment; filename="purchases-2026-05-04.csv"');
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.body).toContain("'=1+1");
    expect(answer.body).not.toMatch(/,=1\+1/);
    expect(answer.body).not.toContain('code-1');
  });

  it('an export with codes is only for owners, is audited, and can be imported again unchanged', async () => {
    const { workspaceId, itemId, owner } = await givenSeller();
    await send(owner, fileOf(itemId));
    const member = await givenSignedIn(given, workspaceId, 'member');
    expect((await fetch(member, '?with_codes=true')).statusCode).toBe(403);
    const answer = await fetch(owner, '?with_codes=true');
    expect(answer.body).toContain('code-1');
    const { body } = await owner.get(`${owner.base}/audit-log?action=purchases_exported`);
    expect(body.data.entries).toMatchObject([{ details: { with_codes: true } }]);
    const { done } = lastLine((await send(owner, answer.body)).text);
    expect(done.counts).toMatchObject({ unchanged: 1, inserted: 0, conflicts: 0 });
  });
});
