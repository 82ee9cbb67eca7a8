// Sends calls of a dialect in every order to the service and to a simple model, and lists the differences.
import type { DialectName, FailureCode, Terms } from '../../src/connections/dialects/dialect.ts';
import { dialects } from '../../src/connections/dialects/dialects.ts';
import { toBatch } from '../../src/connections/to-batch.ts';
import { getAccount } from '../../src/players/queries.ts';
import { topUpOf, transferOf } from '../environment/command-line.ts';
import {
  type DialectAnswer,
  type DialectDriver,
  type MakeRequest,
  type Requests,
  readAnswer,
  requests,
} from '../environment/dialect-drivers.ts';
import type { Given, GivenPackage } from '../environment/given.ts';
import { type Answer, createModel, type Model, strictly } from '../ledger/model/model.ts';

export interface Table {
  readonly given: Given;
  readonly owner: GivenPackage;
  readonly driver: DialectDriver;
  readonly dialect: DialectName;
}

/** Builds a call of any dialect. The ids of the call begin with the given text. */
type Event = (make: Requests, own: string) => MakeRequest;

export const bet: Event = (make, own) => make.bet({ id: `${own}-b`, amount: 400, round: `${own}-r` });
export const win: Event = (make, own) =>
  make.win({ id: `${own}-w`, bet: `${own}-b`, amount: 700, round: `${own}-r` });
/** A second win for the bet. This win closes the round. */
export const lastWin: Event = (make, own) =>
  make.win({ id: `${own}-v`, bet: `${own}-b`, amount: 100, round: `${own}-r`, finished: true });
export const back: Event = (make, own) =>
  make.rollback({ id: `${own}-k`, of: `${own}-b`, round: `${own}-r` });
export const otherBack: Event = (make, own) =>
  make.rollback({ id: `${own}-k2`, of: `${own}-b`, round: `${own}-r` });
/** A bet in a different round. A balance of 8.00 covers this bet or `bet`, but not both. */
export const otherBet: Event = (make, own) =>
  make.bet({ id: `${own}-o`, amount: 600, round: `${own}-s`, finished: true });

const terms: Terms = { currency: 'EUR', decimals: 2, currencies: {}, gamePrefix: '', profile: '' };

/** All permutations of the list. Equal entries are interchangeable, so no permutation is listed twice. */
function ordersOf<T>(list: readonly T[]): T[][] {
  if (list.length === 0) return [[]];
  return [...new Set(list)].flatMap((first) => {
    const rest = list.filter((_, i) => i !== list.indexOf(first));
    return ordersOf(rest).map((order) => [first, ...order]);
  });
}

interface Wanted {
  readonly answers: readonly DialectAnswer[];
  readonly isRepeated: boolean;
}

/** Predicts the answers that the dialect may give, from the model's decision about the call. */
function predict(
  { driver: { connection }, dialect: name }: Table,
  model: Model,
  { request, account }: { request: ReturnType<MakeRequest>; account: bigint },
): Wanted {
  const dialect = dialects[name];
  const parsed = dialect.parse(request, terms, [connection.secrets]);
  if ('invalid' in parsed || parsed.call.kind !== 'play') throw new Error(`${name} refused a call`);
  const limits = { blockedBy: undefined, maxStake: undefined };
  const outcome = model.applyAll(toBatch(connection.id, parsed.call, account, limits).legs);
  const balances = { cash: model.balance(account), promo: 0n };
  const present = (result: Parameters<typeof dialect.present>[0]) => {
    const { status, body } = dialect.present(result, parsed.context, terms);
    return readAnswer(name, status, JSON.parse(body));
  };
  const codes = listFailures(outcome.at(-1));
  if (codes.length > 0) {
    const answers = codes.map((code) => present({ kind: 'failed', code, field: 'amount', balances }));
    return { answers, isRepeated: false };
  }
  const legs = outcome.map((answer) => ({
    id: 'id',
    isRepeated: answer.kind === 'repeated',
    result: 'entries' in answer ? (answer.entries.at(-1)?.result as 'applied') : 'applied',
  }));
  const answers = [present({ kind: 'played', legs, roundId: 'round', balances })];
  return { answers, isRepeated: legs.some((leg) => leg.isRepeated) };
}

const final = ['insufficient_funds', 'balance_limit'];

/** The codes with which the ledger may refuse the call; empty if the ledger applies the call. */
function listFailures(answer: Answer | undefined): FailureCode[] {
  if (answer?.kind === 'conflict') return ['transaction_conflict'];
  if (answer?.kind === 'refused') return [...answer.codes] as FailureCode[];
  if (answer?.kind === 'name_known') throw new Error('two transactions of the orders have one name');
  const entries = answer?.entries ?? [];
  const results = entries.map(({ result }) => result);
  return results.filter((result) => final.includes(result)) as FailureCode[];
}

let counter = 0;

/** Sends the calls in this order for a new player, and lists where service and model differ. */
async function play(table: Table, order: readonly Event[], balance: string): Promise<string[]> {
  const { given, owner, driver, dialect } = table;
  const own = `o${++counter}`;
  const player = await driver.player({ balance });
  const account = await getAccount(given.db, owner.id, player.playerId);
  const model = createModel(0n, strictly);
  const amount = BigInt(balance.replace('.', ''));
  model.apply(topUpOf('top_up', { id: 'x', amount }));
  model.apply(transferOf('credit', { id: 'y', account, amount }));
  const faults: string[] = [];
  for (const event of order) {
    const make = event(requests[dialect], own);
    const caller = { playerId: player.playerId, session: 'gs_model' };
    const request = make(caller, given.clock.now);
    const wanted = predict(table, model, { request, account });
    const got = await player.send(player.build(make));
    if (!wanted.answers.some((each) => isSame(each, got, wanted.isRepeated && dialect !== 'valkyrie'))) {
      faults.push(`${words(got)}, wanted ${wanted.answers.map(words).join(' or ')}`);
    }
  }
  const left = (await player.balance()).balance;
  if (left !== Number(model.balance(account))) faults.push(`has ${left}`);
  const names = order.map((event) => eventNames.get(event)).join(', ');
  return faults.map((fault) => `[${names}] ${fault}`);
}

const eventNames = new Map(
  Object.entries({ bet, win, lastWin, back, otherBack, otherBet }).map(([name, event]) => [event, name]),
);

const words = ({ ok, code, balance }: DialectAnswer) => `${ok ? 'ok' : code} with ${balance}`;

/**
 * Whether both answers are the same. If `isRepeated` is true, the balances are not compared: the answer then
 * has the balance of the first answer, and the model does not store that balance.
 */
const isSame = (wanted: DialectAnswer, got: DialectAnswer, isRepeated: boolean): boolean =>
  wanted.ok === got.ok && wanted.code === got.code && (isRepeated || wanted.balance === got.balance);

/** Lists the differences between the service and the model, over all permutations of the calls. */
export async function playAll(table: Table, events: readonly Event[], balance: string): Promise<string[]> {
  const waiting = ordersOf(events);
  const faults: string[] = [];
  const player = async () => {
    for (let order = waiting.pop(); order; order = waiting.pop()) {
      faults.push(...(await play(table, order, balance)));
    }
  };
  await Promise.all(Array.from({ length: 16 }, player));
  return faults;
}
