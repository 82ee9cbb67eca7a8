// counterfoil providers certify: runs the cases of a dialect against a wallet that speaks this dialect.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type OutputOptions, printRows } from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import { type Command, Option } from 'commander';
import { type Certification, certifyWallet } from '../certify/certify-wallet.ts';
import { createSender } from '../certify/send-request.ts';
import type { Caller, Credentials, OtherCallers } from '../certify/speaker.ts';
import { createSpeaker, dialectsWithSessions, neededCredentials } from '../certify/speakers/speakers.ts';
import { formatDecimal, parseDecimal } from '../connections/dialects/amounts.ts';
import { type DialectName, dialectNames } from '../connections/dialects/dialect.ts';
import { signBody } from '../connections/dialects/hub88/signature.ts';
import type { CommandTools } from './command-tools.ts';

interface CertifyOptions extends OutputOptions {
  readonly dialect: DialectName;
  readonly credentials: string;
  readonly player: string;
  readonly session?: string;
  readonly currency: string;
  readonly decimals: string;
  readonly game: string;
  readonly maxStake?: string;
  readonly profile?: string;
  readonly expiredSession?: string;
  readonly otherSession?: string;
  readonly blockedPlayer?: string;
  readonly blockedSession?: string;
}

export function addCertify(
  providers: Command,
  tools: Pick<CommandTools, 'print' | 'columns' | 'note'>,
): void {
  providers
    .command('certify')
    .description(
      'Test any wallet that speaks a dialect, with real money of one player. The ' +
        "player's balance at the end is that of the start, unless a case fails.",
    )
    .argument('<url>', 'the address that the provider gets, without paths')
    .addOption(
      new Option('--dialect <name>', "the provider's protocol").choices(dialectNames).makeOptionMandatory(),
    )
    .requiredOption(
      '--credentials <file>',
      'a JSON file with token (softswiss, valkyrie), private_key_pem (hub88), ' +
        'or merchant_id and merchant_key (slotegrator); - reads standard input',
    )
    .requiredOption('--player <id>', 'a player with at least 10.00')
    .option('--session <token>', 'a running game session of the player (hub88, valkyrie)')
    .option('--currency <code>', "the player's currency", 'EUR')
    .option('--decimals <number>', 'the decimals of amounts in this wallet', '2')
    .option('--game <id>', 'the game of the bets', 'certify')
    .option('--max-stake <amount>', 'the maximum stake of the player, if there is one')
    .option('--expired-session <token>', 'an expired game session of the player (hub88, valkyrie)')
    .option('--other-session <token>', 'a running game session of another player (hub88, valkyrie)')
    .option('--blocked-player <id>', 'a blocked player')
    .option('--blocked-session <token>', 'a game session of the blocked player (hub88, valkyrie)')
    .addOption(new Option('--profile <name>', 'a variant of hub88').choices(['caleta']))
    .option('--json', 'print JSON')
    .action((url: string, given: CertifyOptions) => certify(tools, url, given));
}

async function certify(
  tools: Pick<CommandTools, 'print' | 'columns' | 'note'>,
  url: string,
  given: CertifyOptions,
): Promise<void> {
  const { dialect, profile = '' } = given;
  checkUrl(url);
  if (!/^[0-8]$/.test(given.decimals)) throw new CommandRefused('the decimals must be a number from 0 to 8');
  const decimals = Number(given.decimals);
  const maxStake = given.maxStake === undefined ? undefined : parseDecimal(given.maxStake, decimals);
  if (given.maxStake !== undefined && !maxStake) throw new CommandRefused('the maximum stake is no amount');
  const callers = readCallers(given);
  const credentials = await readCredentials(given.credentials, dialect);
  const certification = await certifyWallet({
    speaker: createSpeaker(dialect, { credentials, decimals, profile }),
    ...callers,
    send: createSender(url),
    decimals,
    maxStake,
  });
  print(tools, given, { ...certification, decimals });
  if (certification.cases.some(({ verdict }) => verdict === 'failed')) process.exitCode = 1;
}

function readCallers(given: CertifyOptions): { caller: Caller; others: OtherCallers } {
  const { dialect, session = '', blockedPlayer, blockedSession = '' } = given;
  const needsSessions = dialectsWithSessions.has(dialect);
  if (needsSessions && session === '') {
    throw new CommandRefused(`${dialect} needs --session, the id of a running game session of the player`);
  }
  if (needsSessions && blockedPlayer !== undefined && blockedSession === '') {
    throw new CommandRefused(
      `${dialect} needs --blocked-session, the id of a game session of the blocked player`,
    );
  }
  const caller = { playerId: given.player, session, currency: given.currency, gameId: given.game };
  const withSession = (token: string | undefined) =>
    token === undefined ? undefined : { ...caller, session: token };
  return {
    caller,
    others: {
      expired: withSession(given.expiredSession),
      foreign: withSession(given.otherSession),
      blocked:
        blockedPlayer === undefined
          ? undefined
          : { ...caller, playerId: blockedPlayer, session: blockedSession },
    },
  };
}

function checkUrl(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isHttp = parsed?.protocol === 'http:' || parsed?.protocol === 'https:';
  if (!isHttp || parsed.search !== '' || parsed.hash !== '' || parsed.username !== '') {
    throw new CommandRefused(
      'the address must be an http or https URL without a query and without a user name',
    );
  }
}

/** Secrets are read from a file, because other users of the machine can see the arguments of a command. */
async function readCredentials(file: string, dialect: DialectName): Promise<Credentials> {
  const content = await (file === '-' ? text(process.stdin) : readFile(file, 'utf8')).catch(
    ({ code }: NodeJS.ErrnoException) => {
      throw new CommandRefused(`${file} cannot be read (${code})`);
    },
  );
  const credentials = parseCredentials(content);
  for (const name of neededCredentials[dialect]) {
    if (!credentials[name]) throw new CommandRefused(`the credentials need ${name} for ${dialect}`);
  }
  if (dialect === 'hub88' && signBody(credentials.private_key_pem ?? '', Buffer.alloc(0)) === undefined) {
    throw new CommandRefused('private_key_pem is no RSA private key');
  }
  return credentials;
}

function parseCredentials(content: string): Credentials {
  try {
    const value: unknown = JSON.parse(content);
    const entries = Object.entries(value as object).filter(([, each]) => typeof each === 'string');
    return Object.fromEntries(entries);
  } catch {
    throw new CommandRefused('the credentials are not a JSON object');
  }
}

function print(
  tools: Pick<CommandTools, 'print' | 'columns' | 'note'>,
  given: CertifyOptions,
  { cases, start, end, moved, decimals }: Certification & { decimals: number },
): void {
  const format = (minor: bigint) => formatDecimal(minor, decimals);
  const count = (wanted: string) => cases.filter(({ verdict }) => verdict === wanted).length;
  const counts = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
  const json = {
    dialect: given.dialect,
    ...counts,
    cases,
    balance_before: format(start),
    balance_after: end === undefined ? null : format(end),
    taken: format(moved.taken),
    paid: format(moved.paid),
  };
  printRows(tools, given, {
    json,
    head: ['CASE', 'EXPECTED', 'SEEN', 'VERDICT'],
    keep: ['CASE', 'VERDICT'],
    rows: cases.map(({ id, expected, seen, verdict }) => [id, expected, seen, verdict]),
  });
  if (given.json) return;
  for (const { id, failure } of cases) if (failure) tools.print(`✗ ${id}: ${failure}`);
  tools.print(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped.`);
  const after = end === undefined ? 'is unknown' : end === start ? `is ${format(end)}, as before` : '';
  const changed = after || `was ${format(start)} and is ${format(end ?? 0n)}`;
  const sums = `The cases took ${format(moved.taken)} from the player and paid ${format(moved.paid)}.`;
  tools.print(`${sums} The balance ${changed}.`);
}
