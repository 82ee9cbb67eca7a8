// Money that is wrong but consistent: the books add up, nothing is lost, and the checker sees it.
import { describe, expect, it } from 'vitest';
import type { Attempt, Call, Excuse, History, Read } from '../client/client-log.ts';
import type { Answer, Order, OrderKind, Outcome } from '../client/order.ts';
import { checkHistory } from './check-episode.ts';
import type { Facts, JournalRow } from './facts.ts';

const ann = 1001n;
const bob = 1002n;
const [credit, house, issuance] = [1n, 2n, 3n];

type Post = Pick<JournalRow, 'kind' | 'id' | 'amount'> & Partial<JournalRow>;

const ways: Partial<Record<string, [bigint, bigint]>> = {
  top_up: [issuance, credit],
  credit: [credit, ann],
  debit: [ann, credit],
  bet: [ann, house],
};
const moving = new Set(['applied', 'late', 'rolled_back']);

/** Books that add up, whatever they are made of. */
function keep(posts: readonly Post[]): Facts {
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
    ...{ packageId: 7, rows, balances, overdraftLimit: 0n, headSequence: BigInt(rows.length) },
    accounts: new Map([
      ['ann', ann],
      ['bob', bob],
    ]),
  };
}

let clock = 0;
const attempt = (answer: Answer): Attempt => {
  const sentAtMs = clock++;
  return { sentAtMs, answeredAtMs: clock++, answer };
};

const asked = (kind: OrderKind, id: string, more: Partial<Order> = {}): Order => ({
  ...{ packageId: 7, kind, id, player: 'ann', ...more },
});

/** What the journal says of it, or another outcome. */
const told = (facts: Facts, order: Order, outcome: Outcome | 'new' | 'repeat'): Outcome => {
  if (typeof outcome !== 'string') return outcome;
  const row = facts.rows.find(({ kind, id }) => kind === order.kind && id === order.id);
  const account = order.kind === 'top_up' ? credit : order.player === 'bob' ? bob : ann;
  const balanceMinor = row?.debitAccount === account ? row.debitBalance : row?.creditBalance;
  return {
    ...{ kind: 'acknowledged', duplicate: outcome === 'repeat' },
    ...(balanceMinor !== undefined && { balanceMinor }),
    ...(row && !['top_up', 'credit', 'debit'].includes(row.kind) && { result: row.result }),
  };
};

const opening: Post[] = [
  { kind: 'top_up', id: 't', amount: 10_000n },
  { kind: 'credit', id: 'c', amount: 1000n },
];
const opened: [Order, ...('new' | 'repeat' | Outcome)[]][] = [
  [asked('top_up', 't', { player: '', amountMinor: 10_000n }), 'new'],
  [asked('credit', 'c', { amountMinor: 1000n }), 'new'],
];

interface Story {
  readonly posts?: Post[];
  /** Orders with their answers, one after the other. */
  readonly calls?: [Order, ...('new' | 'repeat' | Outcome)[]][];
  readonly reads?: (facts: Facts) => Read[];
  readonly excuses?: Excuse[];
}

function check({ posts = [], calls = [], reads, excuses = [] }: Story): string[] {
  const facts = keep([...opening, ...posts]);
  const made = new Map<Order, Call>();
  for (const [order, ...outcomes] of [...opened, ...calls]) {
    const call = made.get(order) ?? { order, attempts: [] };
    made.set(order, call);
    for (const each of outcomes) {
      call.attempts.push(attempt({ outcome: told(facts, order, each) }));
    }
  }
  const history: History = { calls: [...made.values()], reads: reads?.(facts) ?? [], excuses };
  return [...new Set(checkHistory(history, facts).map(({ invariant }) => invariant))];
}

const unknown: Outcome = { kind: 'unknown', reason: 'ECONNRESET' };
const overloaded: Outcome = { kind: 'turned_away', code: 'overloaded' };
const no = (code: string, final = false): Outcome => ({ kind: 'refused', code, final });
const broke = { kind: 'refused', code: 'insufficient_funds', final: true } as const;

const bet: Post = { kind: 'bet', id: 'b', amount: 100n };
const win: Post = { kind: 'win', id: 'w', amount: 150n, reference: 'b' };
const back: Post = { kind: 'rollback', id: 'k', amount: 100n, reference: 'b' };
const askBet = asked('bet', 'b', { amountMinor: 100n });
const askWin = asked('win', 'w', { amountMinor: 150n, reference: 'b' });
const askBack = asked('rollback', 'k', { reference: 'b' });
const askDebit = asked('debit', 'd', { amountMinor: 30n });
const askShort = { ...askDebit, amountMinor: 5000n };
const short: Post = { kind: 'debit', id: 'd', amount: 5000n, result: 'insufficient_funds' };
const debit: Post = { kind: 'debit', id: 'd', amount: 30n };

describe('rows that the rules do not make', () => {
  it.each<[string, Story, string]>([
    [
      'a rollback of ten times the bet',
      {
        posts: [bet, { ...back, amount: 1000n }],
        calls: [
          [askBet, 'new'],
          [askBack, 'new'],
        ],
      },
      'I8',
    ],
    [
      'a win and a rollback of one bet, both applied',
      {
        posts: [bet, win, back],
        calls: [
          [askBet, 'new'],
          [askWin, 'new'],
          [askBack, 'new'],
        ],
      },
      'I8',
    ],
    [
      'a rollback and then a win of one bet, both applied',
      {
        posts: [bet, back, win],
        calls: [
          [askBet, 'new'],
          [askBack, 'new'],
          [askWin, 'new'],
        ],
      },
      'I8',
    ],
    [
      'two rollbacks that both pay one bet back',
      {
        posts: [bet, back, { ...back, id: 'k2' }],
        calls: [
          [askBet, 'new'],
          [askBack, 'new'],
          [{ ...askBack, id: 'k2' }, 'new'],
        ],
      },
      'I8',
    ],
    [
      'a bet that is applied after its tombstone',
      {
        posts: [{ ...back, amount: 0n, result: 'tombstoned' }, bet],
        calls: [
          [askBack, 'new'],
          [askBet, 'new'],
        ],
      },
      'I8',
    ],
    [
      'a win on a bet that was refused',
      {
        posts: [{ ...bet, amount: 5000n, result: 'insufficient_funds' }, win],
        calls: [
          [{ ...askBet, amountMinor: 5000n }, no('insufficient_funds', true)],
          [askWin, 'new'],
        ],
      },
      'I8',
    ],
    [
      'a debit that is booked as a credit',
      {
        posts: [{ ...debit, debitAccount: credit, creditAccount: ann }],
        calls: [[askDebit, 'new']],
      },
      'I2',
    ],
    [
      "a bet that goes to the package's credit",
      { posts: [{ ...bet, creditAccount: credit }], calls: [[askBet, 'new']] },
      'I2',
    ],
    [
      'a win that is booked on another bet',
      {
        posts: [bet, { ...bet, id: 'b2' }, { ...win, reference: 'b2' }],
        calls: [
          [askBet, 'new'],
          [{ ...askBet, id: 'b2' }, 'new'],
          [askWin, 'new'],
        ],
      },
      'I2',
    ],
    [
      'a rollback that does not find the bet that is there',
      {
        posts: [bet, { ...back, amount: 0n, result: 'tombstoned', reference: '' }],
        calls: [
          [askBet, 'new'],
          [askBack, 'new'],
        ],
      },
      'I2',
    ],
    [
      'insufficient funds, though there is enough',
      {
        posts: [{ ...debit, result: 'insufficient_funds' }],
        calls: [[askDebit, no('insufficient_funds', true)]],
      },
      'I8',
    ],
  ])('sees %s', (_name, story, invariant) => {
    expect(check(story)).toContain(invariant);
  });
});

describe('answers that do not agree with each other or with the journal', () => {
  const played = { posts: [bet, win] };
  it.each<[string, Story, string]>([
    [
      'an unknown outcome, then twice a refusal that is not final, while the row is applied',
      {
        ...played,
        calls: [
          [askBet, 'new'],
          [askWin, unknown, no('bet_refused'), no('bet_refused')],
        ],
      },
      'I3',
    ],
    [
      'the same with a refusal that may pass',
      {
        ...played,
        calls: [
          [askWin, unknown, no('bet_not_found'), no('bet_not_found')],
          [askBet, 'new'],
        ],
      },
      'I3',
    ],
    [
      'acknowledged, then twice not found',
      {
        ...played,
        calls: [
          [askBet, 'new'],
          [askWin, 'new', no('bet_not_found'), no('bet_not_found')],
        ],
      },
      'I4',
    ],
    [
      'nothing applied, then a repeat, and never told as new',
      { posts: [debit], calls: [[askDebit, overloaded, 'repeat']] },
      'I1',
    ],
    [
      'a first and only answer that is a repeat',
      { posts: [debit], calls: [[askDebit, 'repeat']] },
      'I1',
    ],
    [
      'a repeat first, and new only after it',
      { posts: [debit], calls: [[askDebit, 'repeat', 'new']] },
      'I1',
    ],
    [
      'a first and only refusal that is a repeat',
      { posts: [short], calls: [[askShort, { ...broke, duplicate: true }]] },
      'I1',
    ],
    [
      'a refusal with another balance than the account held',
      { posts: [short], calls: [[askShort, { ...broke, balanceMinor: 999n }]] },
      'I3',
    ],
    [
      'a player that is there and is not found',
      { calls: [[askDebit, no('player_not_found')]] },
      'I8',
    ],
    ['good credentials that are refused', { calls: [[askDebit, no('auth_invalid')]] }, 'I8'],
    ['a conflict with nothing', { calls: [[askDebit, no('transaction_conflict')]] }, 'I8'],
    [
      'a bet that is not found after it was told',
      {
        posts: [bet],
        calls: [
          [askBet, 'new'],
          [askWin, no('bet_not_found')],
        ],
      },
      'I8',
    ],
    [
      'a bet that nobody took back, called rolled back',
      {
        posts: [bet],
        calls: [
          [askBet, 'new'],
          [askWin, no('bet_rolled_back')],
        ],
      },
      'I8',
    ],
    [
      'a bet that nothing settled, called settled',
      {
        posts: [bet],
        calls: [
          [askBet, 'new'],
          [askBack, no('bet_already_settled')],
        ],
      },
      'I8',
    ],
  ])('sees %s', (_name, story, invariant) => {
    expect(check(story)).toContain(invariant);
  });
});

describe('reads', () => {
  const read = (tookMs: number, shown: Partial<Read>): Read => {
    const sentAtMs = clock;
    clock += tookMs;
    return { packageId: 7, player: 'ann', sentAtMs, answeredAtMs: clock++, ...shown };
  };
  const right = { status: 200, balanceMinor: 1000n };

  it.each<[string, () => Read, string]>([
    ['one of 19 s', () => read(19_000, right), 'I7'],
    ['one without an answer for 19 s', () => read(19_000, {}), 'I7'],
    ['a 500', () => read(1, { status: 500 }), 'A'],
    ['a 503 without Retry-After', () => read(1, { status: 503, retryAfter: false }), 'A'],
    ['a player that is not found', () => read(1, { status: 404 }), 'I8'],
    ['credentials that are refused', () => read(1, { status: 401 }), 'I8'],
    ['an answer without an exact balance', () => read(1, { status: 200 }), 'I6'],
  ])('sees %s', (_name, make, invariant) => {
    expect(check({ reads: () => [make()] })).toEqual([invariant]);
  });

  it('sees a balance that is written only later, and none while it may be written', () => {
    const story = (answeredAtMs: number): Story => ({
      posts: [debit],
      calls: [[askDebit, 'new']],
      reads: () => [read(0, { status: 200, balanceMinor: 970n, sentAtMs: 0, answeredAtMs })],
    });
    clock = 100;
    // Sent at 104, answered at 105, after the two of the opening.
    expect(check(story(103))).toEqual(['I6']);
    clock = 100;
    expect(check(story(104))).toEqual([]);
  });

  it('lets pass what is right, what was lost in time, and a 503 that says when', () => {
    const shown = [right, {}, { status: 503, retryAfter: true }];
    expect(check({ reads: () => shown.map((each) => read(2500, each)) })).toEqual([]);
  });
});

describe('honest histories', () => {
  const tombstone: Post = { ...back, amount: 0n, result: 'tombstoned' };
  it.each<[string, Story]>([
    [
      'a bet with two wins',
      {
        posts: [bet, win, { ...win, id: 'w2' }],
        calls: [
          [askBet, 'new'],
          [askWin, 'new'],
          [{ ...askWin, id: 'w2' }, 'new'],
        ],
      },
    ],
    [
      'a win before its bet, and again after it',
      {
        posts: [bet, win],
        calls: [
          [askWin, no('bet_not_found')],
          [askBet, 'new'],
          [askWin, 'new', 'repeat'],
        ],
      },
    ],
    [
      'a rollback, again under another id, and a win too late',
      {
        posts: [bet, back, { ...back, id: 'k2', amount: 0n, result: 'already_rolled_back' }],
        calls: [
          [askBet, 'new'],
          [askBack, unknown, 'repeat', 'repeat'],
          [{ ...askBack, id: 'k2' }, 'new'],
          [askWin, no('bet_rolled_back')],
        ],
      },
    ],
    [
      'a rollback before its bet',
      {
        posts: [{ ...tombstone, reference: '' }],
        calls: [
          [askBack, 'new'],
          [askBet, no('bet_rolled_back')],
          [askWin, no('bet_rolled_back')],
        ],
      },
    ],
    [
      "another player's bet",
      {
        posts: [
          { kind: 'credit', id: 'cb', amount: 500n, creditAccount: bob },
          { ...bet, debitAccount: bob },
          tombstone,
        ],
        calls: [
          [asked('credit', 'cb', { player: 'bob', amountMinor: 500n }), 'new'],
          [{ ...askBet, player: 'bob' }, 'new'],
          [askBack, 'new'],
          [askWin, no('bet_not_found')],
        ],
      },
    ],
    [
      'a bet that is refused, with its win and its rollback',
      {
        posts: [
          { ...bet, amount: 5000n, result: 'insufficient_funds' },
          { ...back, amount: 0n, result: 'nothing_to_roll_back' },
        ],
        calls: [
          [{ ...askBet, amountMinor: 5000n }, unknown, ...twice(no('insufficient_funds', true))],
          [askWin, no('bet_refused')],
          [askBack, 'new'],
        ],
      },
    ],
    [
      'a bet that was won and cannot be taken back',
      {
        posts: [bet, win],
        calls: [
          [askBet, 'new'],
          [askWin, overloaded, 'new'],
          [askBack, no('bet_already_settled')],
        ],
      },
    ],
    [
      'a conflict under one id',
      {
        posts: [debit],
        calls: [
          [askDebit, 'new'],
          [{ ...askDebit, amountMinor: 31n }, no('transaction_conflict')],
        ],
      },
    ],
    [
      'an unknown outcome that came to nothing, and was given up',
      {
        calls: [
          [askWin, unknown, ...twice(no('bet_not_found'))],
          [askDebit, overloaded],
        ],
      },
    ],
    [
      'an unknown outcome that was applied after all',
      {
        posts: [debit],
        calls: [[askDebit, overloaded, unknown, 'repeat', 'repeat']],
      },
    ],
    [
      'a credit beyond what the package has',
      {
        posts: [{ kind: 'credit', id: 'x', amount: 9001n, result: 'package_credit_exhausted' }],
        calls: [
          [asked('credit', 'x', { amountMinor: 9001n }), no('package_credit_exhausted', true)],
        ],
      },
    ],
    [
      'a process that stood still, and then found a request too old',
      {
        calls: [[askDebit, no('request_timeout')]],
        excuses: [{ fromMs: 0, toMs: 1_000_000 }],
      },
    ],
    [
      'a refusal with the balance, and again',
      {
        posts: [short],
        calls: [
          [
            askShort,
            { ...broke, balanceMinor: 1000n, duplicate: false },
            { ...broke, balanceMinor: 1000n, duplicate: true },
          ],
        ],
      },
    ],
  ])('lets pass %s', (_name, story) => {
    expect(check(story)).toEqual([]);
  });

  it('copies at once may be answered in any order', () => {
    const facts = keep([...opening, bet, win]);
    const first = opened.map(([order, outcome]) => ({
      order,
      attempts: [attempt({ outcome: told(facts, order, outcome ?? 'new') })],
    }));
    const at = (order: Order, times: [number, number], outcome: 'new' | 'repeat' | Outcome) => ({
      ...{ sentAtMs: clock + times[0], answeredAtMs: clock + times[1] },
      answer: { outcome: told(facts, order, outcome) },
    });
    const calls = [
      ...first,
      { order: askBet, attempts: [at(askBet, [0, 9], 'new'), at(askBet, [1, 3], 'repeat')] },
      {
        order: askWin,
        attempts: [
          at(askWin, [0, 10], no('bet_not_found')),
          at(askWin, [1, 9], 'repeat'),
          at(askWin, [2, 11], 'new'),
        ],
      },
    ];
    expect(checkHistory({ calls, reads: [], excuses: [] }, facts)).toEqual([]);
  });
});

function twice(outcome: Outcome): [Outcome, Outcome] {
  return [outcome, outcome];
}
