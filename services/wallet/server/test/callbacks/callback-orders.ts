// Sends callbacks in every order to the service and to a simple model, and lists the differences.
import { readCallback } from '../../src/callbacks/read-callback.ts';
import { toCommand } from '../../src/callbacks/to-command.ts';
import { getAccount } from '../../src/players/queries.ts';
import { createProvider } from '../environment/callbacks.ts';
import { topUpOf, transferOf } from '../environment/command-line.ts';
import type { Given, GivenPackage } from '../environment/given.ts';
import { type Answer, createModel, strictly } from '../ledger/model/model.ts';

export interface Table {
  readonly given: Given;
  readonly owner: GivenPackage;
}

type Body = Parameters<typeof readCallback>[0];

/** All permutations of the list. Equal entries are interchangeable, so no permutation is listed twice. */
function ordersOf<T>(list: readonly T[]): T[][] {
  if (list.length === 0) return [[]];
  const firsts = list.filter((each, i) => list.indexOf(each) === i);
  return firsts.flatMap((first) => {
    const rest = list.filter((_, i) => i !== list.indexOf(first));
    return ordersOf(rest).map((order) => [first, ...order]);
  });
}

/** The answer of the model in the words of the contract: the status, and the result or the code. */
function wordsOf(answer: Answer): string[] {
  if (answer.kind === 'conflict') return ['409 transaction_conflict'];
  const statuses: Record<string, number> = { bet_not_found: 404 };
  if (answer.kind === 'refused') {
    return answer.codes.map((code) => `${statuses[code] ?? 409} ${code}`);
  }
  if (answer.kind === 'name_known') throw new Error('a callback has no further name');
  const results = answer.entries.map((entry) => entry.result);
  const [refusal] = results.filter((result) => /funds|limit/.test(result));
  if (refusal) return [`422 ${refusal}`];
  const result = results.includes('applied') ? 'applied' : results.at(-1);
  return [`200 ${result} ${answer.kind === 'repeated'}`];
}

let counter = 0;

/** Sends the callbacks in this order for a new player, and lists where service and model differ. */
async function play({ given, owner }: Table, order: readonly Body[], funds: string): Promise<string[]> {
  const provider = createProvider(given, owner);
  const own = `o${++counter}`;
  const player = await given.player(owner, { playerId: own, balance: funds });
  const account = await getAccount(given.db, owner.id, player);
  const model = createModel(0n, strictly);
  const amount = BigInt(funds.replace('.', ''));
  model.apply(topUpOf('top_up', { id: 'x', amount }));
  model.apply(transferOf('credit', { id: 'y', account, amount }));
  const faults: string[] = [];
  for (const step of order) {
    const body = { ...step, player_id: player };
    for (const name of ['transaction_id', 'reference_transaction_id', 'round_id'] as const) {
      if (typeof body[name] === 'string') body[name] = `${own}-${body[name]}`;
    }
    const callback = readCallback(body, { currency: 'EUR', decimals: 2 });
    if (callback.action === 'balance') throw new Error('a balance callback has no order');
    const wanted = wordsOf(model.apply(toCommand(callback, account, undefined)));
    const { status, body: said } = await provider.send(body);
    const got = status === 200 ? `200 ${said.data.result} ${said.data.duplicate}` : `${status} ${said.code}`;
    if (!wanted.includes(got)) faults.push(`${step.action}: ${got}, wanted ${wanted}`);
  }
  const balance = await provider.balance(player);
  if (balance !== Number(model.balance(account)) / 100) faults.push(`holds ${balance}`);
  const steps = order.map((step) => `${step.action} ${step.transaction_id ?? ''}`).join(', ');
  return faults.map((fault) => `[${steps}] ${fault}`);
}

/** The differences between the service and the model, over all permutations of the callbacks. */
export async function playAll(table: Table, events: readonly Body[], funds: string): Promise<string[]> {
  const waiting = ordersOf(events);
  const faults: string[] = [];
  const player = async () => {
    for (let order = waiting.pop(); order; order = waiting.pop()) {
      faults.push(...(await play(table, order, funds)));
    }
  };
  await Promise.all(Array.from({ length: 32 }, player));
  return faults;
}

export const bet: Body = {
  action: 'bet',
  player_id: '',
  transaction_id: 'b',
  amount: 4,
  round_id: 'r',
};
export const win: Body = {
  action: 'win',
  player_id: '',
  transaction_id: 'w',
  amount: 7,
  round_id: 'r',
  reference_transaction_id: 'b',
};
export const promotion: Body = { action: 'win', player_id: '', transaction_id: 'p', amount: 3 };
export const back: Body = {
  action: 'rollback',
  player_id: '',
  transaction_id: 'k',
  reference_transaction_id: 'b',
};
export const otherBack: Body = { ...back, action: 'refund', transaction_id: 'k2' };
export const both: Body = {
  action: 'bet_win',
  player_id: '',
  transaction_id: 'b',
  bet_amount: 4,
  win_amount: 1,
  round_id: 'r',
};
export const end: Body = { action: 'end_round', player_id: '', round_id: 'r' };
