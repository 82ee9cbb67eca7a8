// The proof of an intact ledger finds no flaw. The proof of a changed ledger names each change.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { erasePlayer } from '../../src/players/erase-player.ts';
import { exportJournal } from '../../src/proof/export-journal.ts';
import { readSeal, verifyAgainst } from '../../src/proof/verify-against.ts';
import { verifyLedger } from '../../src/proof/verify-ledger.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveMember } from '../environment/people.ts';
import { runWalletCommand } from '../environment/run-wallet-command.ts';

let given: Given;
let owner: GivenPackage;
let players: string[];

beforeAll(async () => {
  given = await givenWallet();
});

afterAll(() => given.close());

async function fill(): Promise<void> {
  owner = await given.package({ credit: '100.00' });
  players = [await given.player(owner, { balance: '10.00' }), await given.player(owner)];
  for (let i = 0; i < 6; i++) {
    await given.app.inject({
      method: 'POST',
      url: '/api/v1/user/update_balance',
      headers: owner.headers,
      payload: {
        player_id: players[i % 2],
        type: i % 3 === 2 ? 'debit' : 'credit',
        amount: i === 5 ? 1000 : 1.25,
        transaction_id: `m${i}`,
        note: i === 1 ? 'a note' : '',
      },
    });
  }
}

const verify = () => verifyLedger(given.db, owner.id);

describe('the proof of a ledger', () => {
  it('the proof finds no flaw in an intact ledger', async () => {
    await fill();
    const proof = await verify();
    expect(proof.flaws).toEqual([]);
    expect([proof.movements, proof.accounts, proof.headSequence]).toEqual([8n, 5, 8n]);
  });

  it.each([
    ['a changed amount', 'update journal set amount = amount + 1 where package_id = $1 and sequence = 4', 4n],
    [
      'a changed balance in a row',
      'update journal set credit_balance = credit_balance + 1 where package_id = $1 and sequence = 4',
      4n,
    ],
    ['a changed result', 'update journal set result = 0 where package_id = $1 and sequence = 8', 8n],
    ['a changed id', `update journal set transaction_id = 'x' where package_id = $1 and sequence = 5`, 5n],
    [
      'a changed time',
      `update journal set created_at = created_at - interval '1 day' where package_id = $1 and sequence = 5`,
      5n,
    ],
    ['a changed hash', `update journal set hash = sha256('x') where package_id = $1 and sequence = 5`, 5n],
    ['a removed row', 'delete from journal where package_id = $1 and sequence = 5', 6n],
    ['a removed last row', 'delete from journal where package_id = $1 and sequence = 8', 7n],
    ['a changed note', `update journal_notes set note = 'other' where package_id = $1`, 4n],
  ])('the proof of a ledger detects %s, and names the row of the journal', async (_title, sql, sequence) => {
    await fill();
    await given.db.query(sql, [owner.id]);
    const { flaws } = await verify();
    expect(flaws.map((flaw) => flaw.sequence)).toContain(sequence);
  });

  it('the proof reports changed balances, and that the accounts do not sum to zero', async () => {
    await fill();
    await given.db.query('update accounts set balance = balance + 5 where package_id = $1 and id > 1000', [
      owner.id,
    ]);
    const { flaws } = await verify();
    expect(flaws.filter((flaw) => flaw.problem.includes('add up to'))).toHaveLength(2);
    expect(flaws.some((flaw) => flaw.problem === 'the accounts sum to 10, not to zero')).toBe(true);
  });

  it('the proof of a ledger reports that the sequence of the journal head was changed', async () => {
    await fill();
    await given.db.query('update ledger_heads set sequence = 9 where package_id = $1', [owner.id]);
    expect((await verify()).flaws).toHaveLength(1);
  });

  it('the proof of a ledger finds no flaw after the personal data of a player were erased', async () => {
    await fill();
    await erasePlayer(given.db, { packageId: owner.id, playerId: players[1] ?? '' });
    expect((await verify()).flaws).toEqual([]);
    const { rows } = await given.db.query(
      `select p.name, p.metadata, p.player_id ~ '^erased-' as erased,
         (select count(*) from journal_notes n where n.package_id = p.package_id) as notes
       from players p where package_id = $1 order by account_id desc limit 1`,
      [owner.id],
    );
    expect(rows).toEqual([{ name: '', metadata: null, erased: true, notes: 0n }]);
    const gone = await given.app.inject({
      url: `/api/v1/user/balance?player_id=${players[1]}`,
      headers: owner.headers,
    });
    expect(gone.statusCode).toBe(404);
  });
});

it('a player is erased even if another player already has the replacement id', async () => {
  await fill();
  const { rows } = await given.db.query<{ account_id: bigint }>(
    'select account_id from players where package_id = $1 and player_id = $2',
    [owner.id, players[0]],
  );
  await given.player(owner, { playerId: `erased-${rows[0]?.account_id}` });
  await erasePlayer(given.db, { packageId: owner.id, playerId: players[0] ?? '' });
  expect((await verify()).flaws).toEqual([]);
});

it('no table contains the personal data of an erased player', async () => {
  await fill();
  const member = await giveMember(given, owner, 'owner');
  const path = `/panel/packages/${owner.id}/players`;
  const player = { player_id: 'ada.secret@mail.example', name: 'Ada Secret' };
  expect((await member.send('POST', path, player)).status).toBe(200);
  const move = { player_id: player.player_id, type: 'credit', amount: 1, note: 'a secret note' };
  await given.app.inject({
    method: 'POST',
    url: '/api/v1/user/update_balance',
    headers: owner.headers,
    payload: { ...move, transaction_id: 'of-ada' },
  });
  expect(await findTables('secret')).toEqual(['audit_log', 'journal_notes', 'players']);
  await erasePlayer(given.db, { packageId: owner.id, playerId: player.player_id });
  expect(await findTables('secret')).toEqual([]);
  const { entries } = (await member.send('GET', `/panel/packages/${owner.id}/audit-log`)).body.data;
  type Line = { action: string; subject: { kind: string; id: string } };
  const lines = (entries as Line[]).filter((line) => line.subject.kind === 'player');
  expect(lines.map((line) => line.action)).toEqual(['player_erased', 'player_created']);
  expect(new Set(lines.map((line) => line.subject.id)).size).toBe(1);
});

/** The tables that contain the word in any row. */
async function findTables(word: string): Promise<string[]> {
  const { rows } = await given.db.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const sql = `select 1 from "${name}" as row where row::text ilike $1 limit 1`;
    if ((await given.db.query(sql, [`%${word}%`])).rowCount === 1) found.push(name);
  }
  return found;
}

describe('the export of a day', () => {
  const day = { from: new Date('2026-05-04T00:00:00Z'), to: new Date('2026-05-05T00:00:00Z') };

  async function exportDay() {
    const lines: string[] = [];
    const write = async (line: string) => void lines.push(line);
    const options = { package: owner, ...day, write };
    const seal = await exportJournal(given.db, given.config.masterKey, options);
    return { lines, seal };
  }

  it('the export has every movement of the day in order, with totals and the service’s seal', async () => {
    await fill();
    const { lines, seal } = await exportDay();
    const rows = lines.slice(0, -1).map((line) => JSON.parse(line));
    expect(rows.map((row) => row.sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(rows[1]).toMatchObject({
      kind: 'credit',
      amount: '10.00',
      balance: '10.00',
      player_id: players[0],
    });
    expect(seal).toMatchObject({
      movements: 8,
      head_sequence: 8,
      totals: { top_up: '100.00', debit: '1.25' },
    });
    expect(readSeal(given.config.masterKey, lines.at(-1) ?? '')).toEqual(seal);
    const forged = (lines.at(-1) ?? '').replace('"movements":8', '"movements":7');
    expect(() => readSeal(given.config.masterKey, forged)).toThrow('cut or changed');
  });

  it('the export has a seal that later reveals whether the journal was rewritten or shortened', async () => {
    await fill();
    const { seal } = await exportDay();
    expect(await verifyAgainst(given.db, owner.id, seal)).toEqual([]);
    await given.db.query(
      `update journal set hash = sha256('rewritten') where package_id = $1 and sequence = 8`,
      [owner.id],
    );
    expect(await verifyAgainst(given.db, owner.id, seal)).toEqual([
      {
        sequence: 8n,
        problem: 'is not the row that was exported: the journal was rewritten up to here',
      },
    ]);
    await given.db.query('delete from journal where package_id = $1 and sequence = 8', [owner.id]);
    expect((await verifyAgainst(given.db, owner.id, seal))[0]?.problem).toBe('was exported, but is gone');
  });

  it('the export of a day without movements has a seal too', async () => {
    owner = await given.package({ credit: '0' });
    const { lines, seal } = await exportDay();
    expect(lines).toHaveLength(1);
    expect(seal).toMatchObject({ movements: 0, first_sequence: 1, last_sequence: 0 });
    expect(await verifyAgainst(given.db, owner.id, seal)).toEqual([]);
  });
});

describe('the proof in the panel', () => {
  it('members can start and read the proof, and other people are refused', async () => {
    await fill();
    const member = await giveMember(given, owner, 'member');
    const path = `/panel/packages/${owner.id}/proof`;
    expect((await member.send('GET', path)).body.data).toEqual({ running: null, last: null });
    const started = await member.send('POST', path, {});
    expect([started.status, started.body.data.running]).toEqual([200, expect.anything()]);
    await eventually(async () => {
      const { data } = (await member.send('GET', path)).body;
      expect(data).toMatchObject({ running: null, last: { clean: true, movements: 8, flaws: [] } });
    });
    const stranger = await giveMember(given, await given.package(), 'owner');
    expect((await stranger.send('POST', path, {})).status).toBe(404);
  });
});

describe('the commands export and verify', () => {
  it('verify accepts the file that export wrote, and names a row that is changed later', async () => {
    await fill();
    const folder = await mkdtemp(join(tmpdir(), 'counterfoil-proof-'));
    const run = (...words: string[]) => runWalletCommand(given, words);
    const file = join(folder, 'day.ndjson');
    const number = String(owner.id);
    const exported = await run('export', '--package', number, '--date', '2026-05-04', '--out', file);
    expect(exported.out).toContain('8 movements of 2026-05-04');
    expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(9);
    const clean = await run('verify', '--against', file);
    expect([clean.code, clean.out]).toEqual([0, expect.stringContaining(`clean  ${owner.uid}`)]);
    await given.db.query('update journal set amount = 7 where package_id = $1 and sequence = 3', [owner.id]);
    const dirty = await runProcess(folder, 'verify', '--package', owner.uid);
    expect(dirty).toEqual({ code: 1, stdout: expect.stringContaining('✗ row 3 its hash') });
    const json = JSON.parse((await run('verify', '--package', owner.uid, '--json')).out);
    expect(json[0]).toMatchObject({ uid: owner.uid, clean: false, movements: 8 });
    await rm(folder, { recursive: true });
  });
});

/** Runs the command in a separate process, with its settings in the environment. */
async function runProcess(folder: string, ...words: string[]) {
  const masterKey = join(folder, 'key');
  await writeFile(masterKey, given.masterKeyText);
  const env = {
    ...process.env,
    WALLET_DATABASE_URL: given.config.databaseUrl,
    MASTER_KEY_FILE: masterKey,
  };
  const command = ['services/wallet/server/dist/command.js', ...words];
  return promisify(execFile)(process.execPath, command, { env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  );
}
