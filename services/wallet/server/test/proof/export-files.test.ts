// Each movement is in exactly one daily export. A changed file and invalid options are refused.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { topUp } from '../../src/ledger/transfer.ts';
import { exportJournal } from '../../src/proof/export-journal.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { runWalletCommand } from '../environment/run-wallet-command.ts';

let given: Given;
let owner: GivenPackage;
let folder: string;

beforeAll(async () => {
  given = await givenWallet();
  folder = await mkdtemp(join(tmpdir(), 'counterfoil-export-'));
  await writeFile(join(folder, 'key'), given.masterKeyText);
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await given.close();
});

const run = (...words: string[]) => runWalletCommand(given, words);

/** Runs the built command in a separate process. */
async function runProcess(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = {
    ...process.env,
    WALLET_DATABASE_URL: given.config.databaseUrl,
    MASTER_KEY_FILE: join(folder, 'key'),
  };
  const command = ['services/wallet/server/dist/command.js', ...args];
  return promisify(execFile)(process.execPath, command, { env }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      out: error.stdout,
      err: error.stderr,
    }),
  );
}

/** Writes a top-up while the clock of the process is set to this time. */
async function moveAt(time: string): Promise<void> {
  given.clock.now = new Date(time);
  const wanted = { packageId: owner.id, overdraftLimit: 0n, type: 'top_up', amount: 1n } as const;
  await topUp(given.ledger, { ...wanted, transactionId: `at ${time}`, note: '' });
}

const days = {
  fourth: { from: new Date('2026-05-04T00:00:00Z'), to: new Date('2026-05-05T00:00:00Z') },
  fifth: { from: new Date('2026-05-05T00:00:00Z'), to: new Date('2026-05-06T00:00:00Z') },
};

async function exportDay(day: { from: Date; to: Date }): Promise<number[]> {
  const rows: number[] = [];
  const write = async (line: string) => {
    const { sequence } = JSON.parse(line) as { sequence?: number };
    if (sequence !== undefined) rows.push(sequence);
  };
  await exportJournal(given.db, given.config.masterKey, { package: owner, ...day, write });
  return rows;
}

it('each movement is in exactly one daily file, even if the clocks of two processes disagree', async () => {
  owner = await given.package({ credit: '0' });
  await moveAt('2026-05-04T23:59:59.990Z');
  await moveAt('2026-05-05T00:00:00.010Z');
  await moveAt('2026-05-04T23:59:59.995Z');
  await moveAt('2026-05-05T00:00:00.020Z');
  const first = await exportDay(days.fourth);
  for (const hour of ['08', '09', '10']) await moveAt(`2026-05-05T${hour}:00:00.000Z`);
  const second = await exportDay(days.fifth);
  expect([...first, ...second]).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(await exportDay(days.fourth)).toEqual(first);
});

describe('the commands verify and export', () => {
  it.each(['ndjson', 'csv'])('verify refuses a %s file with a changed line', async (format) => {
    given.clock.now = new Date('2026-05-04T10:00:00.000Z');
    owner = await given.package({ credit: '25.00' });
    const file = join(folder, `day.${format}`);
    const wanted = ['--package', owner.uid, '--date', '2026-05-04', '--format', format];
    expect((await run('export', ...wanted, '--out', file)).code).toBe(0);
    expect((await run('verify', '--against', file)).code).toBe(0);
    await writeFile(file, (await readFile(file, 'utf8')).replace('25.00', '99.00'));
    const { code, err } = await runProcess('verify', '--against', file);
    expect([code, err]).toEqual([1, expect.stringContaining('not the lines that were sealed')]);
  });

  it('export refuses an invalid day and a missing folder without a stack trace', async () => {
    owner = await given.package();
    const file = join(folder, 'never.ndjson');
    const of = (date: string, out: string) =>
      run('export', '--package', owner.uid, '--date', date, '--out', out);
    expect(await of('2026-02-30', file)).toMatchObject({
      code: 2,
      refused: expect.stringContaining('yyyy-mm-dd'),
    });
    const nowhere = await of('2026-05-04', join(folder, 'absent', 'day.ndjson'));
    expect(nowhere).toMatchObject({ code: 2, refused: expect.stringContaining('ENOENT') });
    expect(nowhere.refused).not.toContain('    at ');
  });

  it('verify reports a ledger that has no journal head', async () => {
    owner = await given.package();
    await given.db.query('delete from ledger_heads where package_id = $1', [owner.id]);
    const { code, out } = await runProcess('verify', '--package', owner.uid);
    expect([code, out]).toEqual([1, expect.stringContaining('the ledger has no head')]);
  });
});
