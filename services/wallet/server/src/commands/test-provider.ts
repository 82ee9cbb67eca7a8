// wallet providers test: sends a signed balance call to a connection, as the tester of the panel does.
import { randomUUID } from 'node:crypto';
import { createLogger } from '@counterfoil/kit/observability/logging';
import { createMetrics } from '@counterfoil/kit/observability/metrics';
import type { Db } from '@counterfoil/kit/postgres/db';
import { noteOf, printFields } from '@counterfoil/kit/process/command-line/print';
import type { Command } from 'commander';
import { createSessionFinder } from '../callbacks/find-running-session.ts';
import type { Config } from '../config.ts';
import type { ProviderDeps } from '../connections/answer-provider.ts';
import { createProviderCallRecorder } from '../connections/calls/record-calls.ts';
import { findPackageNumber } from '../connections/connection.ts';
import { dialects } from '../connections/dialects/dialects.ts';
import type { FoundConnection } from '../connections/find-connection.ts';
import { createNonceStore } from '../connections/nonces.ts';
import { findConnection } from '../connections/queries.ts';
import { createPurseReader } from '../connections/read-purses.ts';
import { presentTestRequest, sendTestCall } from '../connections/send-test-call.ts';
import { defaultDeadlineMs } from '../deadlines.ts';
import { fail } from '../errors.ts';
import { findSessions } from '../games/queries.ts';
import { openPromoAccount } from '../ledger/accounts.ts';
import { createLedger } from '../ledger/engine/ledger.ts';
import { createRefusalStore } from '../ledger/refused-requests.ts';
import { findPackageByUid } from '../packages/callers/queries.ts';
import { createAccountFinder } from '../players/find-account.ts';
import { createStatusFinder } from '../players/find-status.ts';
import { type CommandTools, type OfPackage, runOnPackage } from './command-tools.ts';
import { describeMeaning, findResult } from './provider-calls.ts';

interface TestGiven extends OfPackage {
  readonly player: string;
}

export function addProviderTest(command: Command, tools: CommandTools): void {
  command
    .requiredOption('--player <player_id>', 'the player whose balance is read')
    .action((id: string, given: TestGiven) => test(tools, id, given));
}

const test = (tools: CommandTools, id: string, given: TestGiven): Promise<void> =>
  runOnPackage(tools, given.package, async ({ config, db, target }) => {
    const found = await getConnection({ config, db }, { packageId: target.packageId, id });
    const parts = await openParts(tools, { config, db });
    try {
      const call = { found, playerId: given.player, requestId: randomUUID(), address: 'operator' };
      const { request, response, meaning } = await sendTestCall(parts.deps, call);
      const sent = presentTestRequest(request);
      const result = findResult(meaning);
      const isFine = result?.kind === 'balance';
      printFields(tools, given, {
        json: { request: sent, response, meaning },
        title: isFine
          ? 'The connection answered with the balance of the player:'
          : `The connection refused the call: ${result?.code ?? `HTTP ${response.status}`}.`,
        fields: [
          ['request', `${sent.method} ${sent.path}`],
          ...Object.entries(sent.headers).map(([name, value]) => ['header', `${name}: ${value}`] as const),
          ...(sent.body === '' ? [] : [['body', sent.body] as const]),
          ['answer', `HTTP ${response.status} ${response.body}`],
          ['meaning', describeMeaning(meaning, found.customerPackage)],
        ],
      });
      if (!isFine) process.exitCode = 1;
    } finally {
      await parts.close();
    }
  });

async function getConnection(
  { config, db }: { config: Config; db: Db },
  key: { packageId: number; id: string },
): Promise<FoundConnection> {
  const isOwn = findPackageNumber(key.id) === key.packageId;
  const read = isOwn ? await findConnection(db, config.masterKey, key) : undefined;
  const customerPackage = read && (await findPackageByUid(db, read.uid, new Date()));
  if (!customerPackage) throw fail('connection_not_found');
  return { connection: read.connection, customerPackage };
}

/** Opens the parts of the service that answer a provider's call. Their errors are printed as notes. */
async function openParts(
  tools: CommandTools,
  { config, db }: { config: Config; db: Db },
): Promise<{ deps: ProviderDeps; close: () => Promise<void> }> {
  const { directUrl, callbackLogDays: logDays } = config;
  const destination = { write: (line: string) => noteOf(tools)(line.trimEnd()) };
  const logger = createLogger({ service: 'wallet', level: 'error', destination });
  const now = () => new Date();
  const registry = createMetrics('wallet');
  const ledger = createLedger({ db });
  const statuses = createStatusFinder({ db });
  const onError = (err: Error) => logger.error({ err }, 'not listening for changed players');
  const accounts = await createAccountFinder({ db, ledger, statuses, directUrl, onError });
  const calls = createProviderCallRecorder({ db, logger, registry, now, logDays, everyMs: 1000 });
  const nonces = createNonceStore({ db, now });
  const refusals = createRefusalStore({ db, now });
  const deps: ProviderDeps = {
    ...{ db, now, logger, dialects, ledger, accounts, statuses, calls, nonces, refusals },
    sessions: createSessionFinder({ find: (wanted) => findSessions(db, wanted), now }),
    purses: createPurseReader(db),
    openPromoAccount: (packageId, account) => openPromoAccount(db, packageId, account),
    // The call is signed with the credentials of the connection, so it is never a forgery.
    forged: { record: () => {} },
    answerWithinMs: defaultDeadlineMs,
  };
  const close = async () => {
    await ledger.drain();
    await calls.close();
    await accounts.close();
  };
  return { deps, close };
}
