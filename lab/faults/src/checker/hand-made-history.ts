// Builds histories for tests of the checker: a consistent ledger, and the answers to callers.
import type { Attempt, Call, Excuse, History, Read } from '../client/client-log.ts';
import type { Answer, Order, OrderKind, Outcome } from '../client/order.ts';
import { checkHistory } from './check-test-run.ts';
import type { Facts, JournalRow } from './facts.ts';

export const ann = 1001n;
export const bob = 1002n;
export const credit = 1n;
const [house, issuance] = [2n, 3n];

export type Post = Pick<JournalRow, 'kind' | 'id' | 'amount'> & Partial<JournalRow>;

const ways: Partial<Record<string, [bigint, bigint]>> = {
  top_up: [issuance, credit],
  credit: [credit, ann],
  debit: [ann, credit],
  bet: [ann, house],
};
const moving = new Set(['applied', 'late', 'rolled_back']);

/** Computes the journal rows and balances that result from these movements. */
export function makeFacts(posts: readonly Post[]): Facts {
  const balances = new Map([credit, house, issuance, ann, bob].map((account) => [account, 0n]));
  const rows = posts.map((post, i): JournalRow => {
    const [debitAccount, creditAccount] = ways[post.kind] ?? [house, ann];
    const result = post.kind === 'rollback' ? 'rolled_back' : 'applied';
    const row = { sequence: BigInt(i + 1), result, debitAccount, creditAccount, ...post } as const;
    const moved = moving.has(row.result) ? row.amount : 0n;
    const debitBalance = (balances.get(row.debitAccount) ?? 0n) - moved;
    const creditBalance = (balances.get(row.creditAccount) ?? 0n) + moved;
    balances.set(row.debitAccount, debitBalance).set(row.creditAccount, creditBalance);
    return { ...row, debitBalance, creditBalance };
  });
  return {
    packageId: 7,
    rows,
    balances,
    overdraftLimit: 0n,
    headSequence: BigInt(rows.length),
    accounts: new Map([
      ['ann', ann],
      ['bob', bob],
    ]),
  };
}

/** The clock that gives all calls and reads their times. A test may set the clock. */
export const clock = { now: 0 };
export const attempt = (answer: Answer): Attempt => {
  const sentAtMs = clock.now++;
  return { sentAtMs, answeredAtMs: clock.now++, answer };
};

export const asked = (kind: OrderKind, id: string, more: Partial<Order> = {}): Order => ({
  packageId: 7,
  kind,
  id,
  player: 'ann',
  ...more,
});

/** Returns the given outcome, or for `new` and `repeat` an acknowledgement with the values in the journal. */
export const makeOutcome = (facts: Facts, order: Order, outcome: Outcome | 'new' | 'repeat'): Outcome => {
  if (typeof outcome !== 'string') return outcome;
  const row = facts.rows.find(({ kind, id }) => kind === order.kind && id === order.id);
  const account = order.kind === 'top_up' ? credit : order.player === 'bob' ? bob : ann;
  const balanceMinor = row?.debitAccount === account ? row.debitBalance : row?.creditBalance;
  return {
    kind: 'acknowledged',
    duplicate: outcome === 'repeat',
    ...(balanceMinor !== undefined && { balanceMinor }),
    ...(row && !['top_up', 'credit', 'debit'].includes(row.kind) && { result: row.result }),
  };
};

export const opening: Post[] = [
  { kind: 'top_up', id: 't', amount: 10_000n },
  { kind: 'credit', id: 'c', amount: 1000n },
];
export const opened: [Order, ...('new' | 'repeat' | Outcome)[]][] = [
  [asked('top_up', 't', { player: '', amountMinor: 10_000n }), 'new'],
  [asked('credit', 'c', { amountMinor: 1000n }), 'new'],
];

export interface Story {
  readonly posts?: Post[];
  /** Orders, each with the answers to its attempts. */
  readonly calls?: [Order, ...('new' | 'repeat' | Outcome)[]][];
  readonly reads?: (facts: Facts) => Read[];
  readonly excuses?: Excuse[];
}

export function check({ posts = [], calls = [], reads, excuses = [] }: Story): string[] {
  const facts = makeFacts([...opening, ...posts]);
  const made = new Map<Order, Call>();
  for (const [order, ...outcomes] of [...opened, ...calls]) {
    const call = made.get(order) ?? { order, attempts: [] };
    made.set(order, call);
    for (const each of outcomes) {
      call.attempts.push(attempt({ outcome: makeOutcome(facts, order, each) }));
    }
  }
  const history: History = { calls: [...made.values()], reads: reads?.(facts) ?? [], excuses };
  return [...new Set(checkHistory(history, facts).map(({ invariant }) => invariant))];
}

export const unknown: Outcome = { kind: 'unknown', reason: 'ECONNRESET' };
export const overloaded: Outcome = { kind: 'turned_away', code: 'overloaded' };
export const no = (code: string, final = false): Outcome => ({ kind: 'refused', code, final });
export const broke = { kind: 'refused', code: 'insufficient_funds', final: true } as const;

export const bet: Post = { kind: 'bet', id: 'b', amount: 100n };
export const win: Post = { kind: 'win', id: 'w', amount: 150n, reference: 'b' };
export const back: Post = { kind: 'rollback', id: 'k', amount: 100n, reference: 'b' };
export const askBet = asked('bet', 'b', { amountMinor: 100n });
export const askWin = asked('win', 'w', { amountMinor: 150n, reference: 'b' });
export const askBack = asked('rollback', 'k', { reference: 'b' });
export const askDebit = asked('debit', 'd', { amountMinor: 30n });
export const askShort = { ...askDebit, amountMinor: 5000n };
export const short: Post = { kind: 'debit', id: 'd', amount: 5000n, result: 'insufficient_funds' };
export const debit: Post = { kind: 'debit', id: 'd', amount: 30n };
