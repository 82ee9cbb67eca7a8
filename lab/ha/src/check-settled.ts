// Compares the answers to callers with the journal. Finds orders that were lost or stored twice, and stored
// orders that were never sent.
import { openDb } from '@counterfoil/kit/postgres/db';
import { verifyLedger } from '@counterfoil/wallet-server/proof/verify-ledger';
import type { Books } from './books.ts';
import type { Load, SettledOrder } from './load.ts';

export interface Verdict {
  readonly acknowledged: number;
  readonly refused: number;
  readonly stored: number;
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly different: readonly string[];
  readonly unsent: readonly string[];
  /** Flaws that the verification of the ledger found. */
  readonly flaws: readonly string[];
}

interface Row {
  transaction_id: string;
  result: number;
  amount: bigint;
}

export async function checkSettled(url: string, books: Books, load: Load): Promise<Verdict> {
  const db = openDb({ url, applicationName: 'ha check', queryTimeoutMs: 60_000 });
  try {
    const { rows } = await db.query<Row>(
      `select transaction_id, result, amount from journal
       where package_id = $1 and transaction_id like 'c%-%'`,
      [books.packageId],
    );
    const stored = new Map<string, Row[]>();
    for (const row of rows) {
      stored.set(row.transaction_id, [...(stored.get(row.transaction_id) ?? []), row]);
    }
    const { flaws } = await verifyLedger(db, books.packageId);
    const sent = new Set([
      ...load.settled.map(({ order }) => order.transaction_id),
      ...load.open().map((order) => order.transaction_id),
    ]);
    return {
      acknowledged: load.settled.filter(({ answer }) => answer.status === 200).length,
      refused: load.settled.filter(({ answer }) => answer.status !== 200).length,
      stored: rows.length,
      ...compare(load.settled, stored),
      doubled: [...stored].filter(([, same]) => same.length > 1).map(([id]) => id),
      unsent: [...stored.keys()].filter((id) => !sent.has(id)),
      flaws: flaws.map((flaw) => JSON.stringify(flaw)),
    };
  } finally {
    await db.end();
  }
}

function compare(settled: readonly SettledOrder[], stored: ReadonlyMap<string, readonly Row[]>) {
  const lost: string[] = [];
  const different: string[] = [];
  for (const { order, answer } of settled) {
    const [row] = stored.get(order.transaction_id) ?? [];
    const wanted = BigInt(Math.round(order.amount * 100));
    if (!row) lost.push(order.transaction_id);
    else if ((row.result === 0) !== (answer.status === 200) || row.amount !== wanted) {
      different.push(order.transaction_id);
    }
  }
  return { lost, different };
}

/**
 * Sends the orders of the sample again. Lists the orders whose answer differs from the first answer or is not
 * marked as a duplicate.
 */
export async function findOtherAnswers(
  load: Load,
  sample: readonly SettledOrder[],
  address?: string,
): Promise<string[]> {
  const others: string[] = [];
  for (const { order, answer } of sample) {
    const again = await load.send(order, address);
    if (again?.duplicate && again.outcome === answer.outcome) continue;
    others.push(`${order.transaction_id}: ${answer.outcome} became ${again?.outcome ?? 'nothing'}`);
  }
  return others;
}

export const isClean = (verdict: Verdict): boolean =>
  [verdict.lost, verdict.doubled, verdict.different, verdict.unsent, verdict.flaws].every(
    (list) => list.length === 0,
  );

export function describeVerdict(verdict: Verdict): string {
  const first = (list: readonly string[]) =>
    list.length === 0 ? '0' : `${list.length} (${list.slice(0, 5).join(', ')})`;
  return [
    `  acknowledged        ${verdict.acknowledged}`,
    `  finally refused     ${verdict.refused}`,
    `  in the journal      ${verdict.stored}`,
    `  lost                ${first(verdict.lost)}`,
    `  stored twice        ${first(verdict.doubled)}`,
    `  unlike the answer   ${first(verdict.different)}`,
    `  never sent          ${first(verdict.unsent)}`,
    `  ledger flaws        ${first(verdict.flaws)}`,
  ].join('\n');
}
