// The command `rounds open`, and the daily export as CSV.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportJournal } from '../../src/proof/export-journal.ts';
import { readSeal, verifyAgainst } from '../../src/proof/verify-against.ts';
import { createProvider } from '../environment/callbacks.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { runWalletCommand } from '../environment/run-wallet-command.ts';

let given: Given;
let owner: GivenPackage;

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package();
  const provider = createProvider(given, owner);
  const player = await given.player(owner, { playerId: '=risky "one"', balance: '10.00' });
  const bet = (id: string, more: object) =>
    provider.send({ action: 'bet', player_id: player, transaction_id: id, amount: 1, ...more });
  await bet('b1', { round_id: 'left-open' });
  await bet('b2', { round_id: 'ended', round_finished: true });
  given.clock.now = new Date(Date.now() + 600_000);
  await bet('b3', { round_id: 'young' });
});

afterAll(() => given.close());

const wallet = (...words: string[]) => runWalletCommand(given, words);

it('`rounds open` lists all open rounds, or only those that are older than a given time', async () => {
  const all = JSON.parse((await wallet('rounds', 'open', '--json')).out);
  expect(all.map((round: { round_id: string }) => round.round_id)).toEqual(['left-open', 'young']);
  expect(all[0]).toMatchObject({ uid: owner.uid, bet_total: 1, state: 'open' });
  const old = await wallet('rounds', 'open', '--older-than', '1h', '--package', owner.uid);
  expect(old.out).toContain('left-open');
  expect(old.out).not.toContain('young');
  expect((await wallet('rounds', 'open', '--older-than', 'soon')).refused).toContain('30m');
  expect((await wallet('rounds', 'open', '--package', 'UID_x')).refused).toContain('no package');
});

it('the export of a day as CSV has a seal that contains totals and a checksum', async () => {
  const lines: string[] = [];
  const seal = await exportJournal(given.db, given.config.masterKey, {
    package: owner,
    from: new Date('2026-05-04T00:00:00Z'),
    to: new Date('2026-05-05T00:00:00Z'),
    format: 'csv',
    write: async (line) => void lines.push(line),
  });
  expect(lines[0]).toBe(
    'sequence,created_at,kind,result,transaction_id,player_id,amount,balance,currency,game_id,hash,' +
      'purse,shortfall,connection_id,connection',
  );
  // A spreadsheet must not run a caller's id as a formula.
  expect(lines[3]).toContain(`,"bet","applied","b1","'=risky ""one""","1.00","9.00","EUR",,"`);
  expect(seal).toMatchObject({ movements: 4, totals: { bet: '2.00', credit: '10.00' } });
  const body = lines.slice(0, -1).map((line) => `${line}\n`);
  expect(createHash('sha256').update(body.join('')).digest('hex')).toBe(seal.sha256);
  expect(readSeal(given.config.masterKey, lines.at(-1) ?? '')).toEqual(seal);
  expect(await verifyAgainst(given.db, owner.id, seal)).toEqual([]);
});

it('`rounds open` lists a round with a bet of 0, even if its other bet was rolled back', async () => {
  const other = await given.package();
  const provider = createProvider(given, other);
  const player_id = await given.player(other, { balance: '10.00' });
  const of = (id: string) => ({ player_id, transaction_id: id, round_id: 'F1' });
  await provider.send({ action: 'bet', ...of('f0'), amount: 0 });
  await provider.send({ action: 'bet', ...of('f1'), amount: 1 });
  await provider.send({ action: 'rollback', ...of('f2'), reference_transaction_id: 'f1' });
  const { out } = await wallet('rounds', 'open', '--json', '--package', other.uid);
  expect(JSON.parse(out)).toMatchObject([{ round_id: 'F1', state: 'open', bet_total: 0 }]);
});
