// `verify` proves ledgers from their journals; `export` writes one day of a journal to a sealed file.

import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { printSentence } from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import { openProgress } from '@counterfoil/kit/process/progress';
import { type Command, Option } from 'commander';
import { type ExportFormat, type ExportSeal, exportFormats } from '../proof/export-file.ts';
import { exportJournal } from '../proof/export-journal.ts';
import { isClean, type Proof, presentProof } from '../proof/proof.ts';
import { findLedgers, type LedgerName } from '../proof/queries.ts';
import { readSealedLines, verifyAgainst } from '../proof/verify-against.ts';
import { verifyLedger } from '../proof/verify-ledger.ts';
import type { CommandTools } from './command-tools.ts';

export function addProof(program: Command, tools: CommandTools): void {
  program
    .command('verify')
    .description('Recompute every balance from the journal and check the hash chain.')
    .option('--package <uid>', 'one package only, by its UID or its number')
    .option('--against <file>', 'compare with an earlier export, to detect a rewritten journal')
    .option('--json', 'print JSON')
    .action((given: VerifyOptions) => verify(tools, given));
  program
    .command('export')
    .description(
      "Write a day of a package's journal with totals and a checksum, sealed with the chain's head.",
    )
    .requiredOption('--package <uid>', 'the package, by its UID or its number')
    .requiredOption('--date <yyyy-mm-dd>', 'the day, in UTC')
    .requiredOption('--out <file>', 'the file to write')
    .addOption(
      new Option('--format <format>', 'the format of the file').choices(exportFormats).default('ndjson'),
    )
    .option('--json', 'print JSON')
    .action((given: ExportOptions) => exportDay(tools, given));
}

interface VerifyOptions {
  package?: string;
  against?: string;
  json?: boolean;
}

async function verify(tools: CommandTools, given: VerifyOptions): Promise<void> {
  await tools.run(async ({ db, config }) => {
    const seal = given.against && (await readFileSeal(config.masterKey, given.against));
    const uid = seal ? seal.package_uid : given.package;
    const ledgers = await findLedgers(db, uid);
    if (ledgers.length === 0 && uid !== undefined)
      throw new CommandRefused(`there is no package ${uid}`, 'not_found');
    const progress = openProgress(process.stderr);
    const proofs: { ledger: LedgerName; proof: Proof }[] = [];
    for (const ledger of ledgers) {
      const onProgress = (movements: bigint) =>
        progress.show({
          part: Number(movements) / Math.max(1, Number(ledger.movements)),
          rows: Number(movements),
        });
      const proof = await verifyLedger(db, ledger.id, { onProgress });
      const rewritten = seal ? await verifyAgainst(db, ledger.id, seal) : [];
      proofs.push({ ledger, proof: { ...proof, flaws: [...rewritten, ...proof.flaws] } });
    }
    progress.finish();
    print(tools, given, proofs);
    if (!proofs.every(({ proof }) => isClean(proof))) process.exitCode = 1;
  });
}

function print(
  tools: CommandTools,
  given: VerifyOptions,
  proofs: { ledger: LedgerName; proof: Proof }[],
): void {
  if (given.json) {
    const json = proofs.map(({ ledger, proof }) => ({ uid: ledger.uid, ...presentProof(proof) }));
    tools.print(JSON.stringify(json));
    return;
  }
  for (const { ledger, proof } of proofs) {
    const verdict = isClean(proof) ? 'clean' : 'NOT CLEAN';
    const counted = `${count(proof.movements, 'movement')}, ${count(proof.accounts, 'account')}`;
    tools.print(
      `${verdict}  ${ledger.uid}  ${ledger.name}: ${counted}, head ${proof.headHash.slice(0, 16)}…`,
    );
    for (const flaw of proof.flaws) {
      const row = flaw.sequence === undefined ? '' : `row ${flaw.sequence} `;
      const account = flaw.account === undefined ? '' : `account ${flaw.account} `;
      tools.print(`  ✗ ${row}${account}${flaw.problem}`);
    }
  }
}

const count = (number: bigint | number, noun: string): string =>
  `${number} ${noun}${Number(number) === 1 ? '' : 's'}`;

async function readFileSeal(masterKey: MasterKey, file: string): Promise<ExportSeal> {
  try {
    return await readSealedLines(masterKey, createInterface({ input: createReadStream(file) }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new CommandRefused(`${file} cannot be read (${code})`);
  }
}

interface ExportOptions {
  package: string;
  date: string;
  out: string;
  format: ExportFormat;
  json?: boolean;
}

async function exportDay(tools: CommandTools, given: ExportOptions): Promise<void> {
  const from = new Date(`${given.date}T00:00:00.000Z`);
  const isDay = !Number.isNaN(from.getTime()) && from.toISOString().startsWith(given.date);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(given.date) || !isDay) {
    throw new CommandRefused('the date must be written as yyyy-mm-dd');
  }
  const to = new Date(from.getTime() + 86_400_000);
  await tools.run(async ({ db, config }) => {
    const [ledger] = await findLedgers(db, given.package);
    if (!ledger) throw new CommandRefused(`there is no package ${given.package}`, 'not_found');
    const progress = openProgress(process.stderr);
    const seal = await writeWholeFile(given.out, (write) =>
      exportJournal(db, config.masterKey, {
        package: ledger,
        from,
        to,
        format: given.format,
        write,
        onProgress: (rows) => progress.show({ part: undefined, rows }),
      }),
    );
    progress.finish();
    const movements = `${count(seal.movements, 'movement')} of ${given.date}`;
    printSentence(tools, given, {
      json: { file: given.out, ...seal },
      sentence: `${given.out} has ${movements}, sealed at row ${seal.head_sequence}.`,
    });
  });
}

const bufferedCharacters = 64 * 1024;

/**
 * Writes a file in blocks, because there may be millions of lines. The file gets its final name when it is on
 * disk.
 */
async function writeWholeFile<T>(
  path: string,
  work: (write: (line: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  const draft = `${path}.part`;
  const refuse = (error: NodeJS.ErrnoException) => {
    throw new CommandRefused(`${path} cannot be written (${error.code})`);
  };
  const file = await open(draft, 'w', 0o600).catch(refuse);
  let waiting = '';
  const flush = async () => {
    const text = waiting;
    waiting = '';
    await file.appendFile(text).catch(refuse);
  };
  try {
    const done = await work(async (line) => {
      waiting += `${line}\n`;
      if (waiting.length >= bufferedCharacters) await flush();
    });
    await flush();
    await file.sync().catch(refuse);
    await rename(draft, path).catch(refuse);
    return done;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
