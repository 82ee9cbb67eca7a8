// Runs all checks of the client's log against the database, and returns one verdict with figures.
import type { Db } from '@counterfoil/kit/postgres/db';
import { verifyLedger } from '@counterfoil/wallet-server/proof/verify-ledger';
import { type History, readHistory } from '../client/client-log.ts';
import { checkAcknowledged, checkNothingUnsent } from './check-acknowledged.ts';
import { checkBooks } from './check-books.ts';
import { checkAnswers, checkDeadlines, tookMs } from './check-deadlines.ts';
import { checkDeserved } from './check-deserved.ts';
import { checkReads } from './check-reads.ts';
import { checkRefused } from './check-refused.ts';
import { checkRules } from './check-rules.ts';
import { checkUnknowns } from './check-unknowns.ts';
import { type Facts, readFacts } from './facts.ts';
import { type Violation, violation } from './violation.ts';

export interface Verdict {
  readonly violations: readonly Violation[];
  readonly tally: Tally;
}

interface Tally {
  /** Acknowledged movements, each counted once. */
  readonly acknowledged: number;
  readonly refused: number;
  /** Orders that had an unknown outcome at least once. */
  readonly unknown: number;
  readonly reads: number;
  readonly slowestMs: number;
}

/** The maximum number of violations per check. A lost table would cause one violation per order. */
const maxPerCheck = 20;

export function checkHistory(history: History, facts: Facts): Violation[] {
  const { calls, reads } = history;
  return [
    checkAcknowledged(calls, facts),
    checkNothingUnsent(calls, facts),
    checkRefused(calls, facts),
    checkUnknowns(calls),
    checkBooks(facts),
    checkRules(facts),
    checkDeserved(history, facts),
    checkReads(calls, reads, facts),
    checkDeadlines(history),
    checkAnswers(history),
  ].flatMap((found) => found.slice(0, maxPerCheck));
}

export async function checkTestRun(
  db: Db,
  testRun: { packageId: number; logPath: string; provesChain: boolean },
): Promise<Verdict> {
  const history = await readHistory(testRun.logPath);
  const violations = checkHistory(history, await readFacts(db, testRun.packageId));
  if (testRun.provesChain) {
    const { flaws } = await verifyLedger(db, testRun.packageId);
    for (const flaw of flaws.slice(0, maxPerCheck)) {
      violations.push(violation('I5', `verification of the ledger: ${flaw.problem}`));
    }
  }
  return { violations, tally: addUp(history) };
}

function addUp({ calls, reads, excuses }: History): Tally {
  const count = (kind: string) =>
    calls.filter(({ attempts }) => attempts.some(({ answer }) => answer?.outcome.kind === kind)).length;
  let slowestMs = 0;
  for (const { attempts } of calls) {
    for (const attempt of attempts) slowestMs = Math.max(slowestMs, tookMs(attempt, excuses));
  }
  for (const read of reads) slowestMs = Math.max(slowestMs, tookMs(read, excuses));
  return {
    acknowledged: count('acknowledged'),
    refused: count('refused'),
    unknown: count('unknown'),
    reads: reads.length,
    slowestMs: Math.round(slowestMs),
  };
}
