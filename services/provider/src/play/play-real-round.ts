// A round for money. By default, the outcome is drawn after the wallet has accepted the bet. No callback is
// lost.
import { randomUUID } from 'node:crypto';
import type { Callback, CallbackBody, Verdict } from '../callbacks/callback.ts';
import type { DialectClient } from '../callbacks/dialects/client.ts';
import { findClient } from '../callbacks/dialects/clients.ts';
import { isFinal, type Outbox, rollbackOf } from '../callbacks/outbox.ts';
import { deliverCallback, type SendCallback } from '../callbacks/send-callback.ts';
import type { ConnectionRegistry } from '../connections/connections.ts';
import { fail } from '../errors.ts';
import type { Faults } from '../faults/faults.ts';
import type { Launch } from '../launches/launch.ts';
import type { Draw } from '../machines/draw.ts';
import { type Outcome, runMachine } from '../machines/machine.ts';
import type { RoundOrder, RoundResult } from './round.ts';
import { listSettlement, makeBet, makeBetWin } from './round-calls.ts';

export interface RealPlayDeps {
  readonly outbox: Outbox;
  readonly connections: ConnectionRegistry;
  readonly send: SendCallback;
  readonly faults: Faults;
  readonly draw: Draw;
  readonly waitsMs: readonly number[];
  readonly now: () => number;
}

/**
 * A round uses one protocol from its bet to its last callback, even if another protocol is chosen during the
 * round.
 */
interface PlayedRound extends Omit<Callback, 'body'> {
  readonly id: string;
  readonly launch: Launch;
  /** The client of the round's dialect; undefined for the wallet's own protocol. */
  readonly client: DialectClient | undefined;
}

const entryOf = ({ uid, connection, id }: PlayedRound, body: CallbackBody, suffix = '') => ({
  id: id + suffix,
  uid,
  connection,
  body,
});

export async function playRealRound(
  deps: RealPlayDeps,
  launch: Launch,
  order: RoundOrder,
): Promise<RoundResult> {
  const protocol = deps.connections.findChosen(launch.uid);
  const client = protocol && findClient(protocol.connection);
  const { uid } = launch;
  const round = { id: randomUUID(), uid, launch, client, connection: protocol?.connection.id };
  const bet = makeBet(round.id, launch, order);
  if (protocol?.isOneCall) return playInOneCall(deps, round, { bet, order });
  return deps.faults.read().reorder_callbacks
    ? playReordered(deps, round, { bet, order })
    : playInOrder(deps, round, { bet, order });
}

interface Stake {
  readonly bet: CallbackBody;
  readonly order: RoundOrder;
}

async function playInOrder(
  deps: RealPlayDeps,
  round: PlayedRound,
  { bet, order }: Stake,
): Promise<RoundResult> {
  const { launch, client } = round;
  await placeBet(deps, round, bet);
  const outcome = decide(deps, launch, order);
  return settle(deps, round, { calls: listSettlement(bet, launch, outcome, client), outcome });
}

/**
 * Simulates the fault `reorder_callbacks`: sends the win before the bet. In most protocols the wallet refuses
 * the early win, so the win is sent again after the bet.
 */
async function playReordered(deps: RealPlayDeps, round: PlayedRound, stake: Stake): Promise<RoundResult> {
  const { launch, client } = round;
  const isPaid = client?.paysWinsWithoutBet === true;
  // Only the last call of a round sets `round_finished`. If the wallet pays the early win, the bet is the
  // last call. If the wallet refuses the early win, the repeated win is the last call.
  const bet = { ...stake.bet, round_finished: isPaid };
  const outcome = decide(deps, launch, stake.order);
  const calls = listSettlement(bet, launch, outcome, client).map((call) => ({
    ...call,
    round_finished: !isPaid,
  }));
  const win = calls.find(({ action }) => action === 'win');
  const undo = win && isPaid ? entryOf(round, rollbackOf(entryOf(round, win)), '-win') : undefined;
  // The win is sent before its bet, so a rollback of the win is stored first. If this process ends before the
  // wallet accepts the bet, the next process finds the rollback in the outbox and sends it.
  if (undo) await deps.outbox.hold(undo);
  const early = win && (await deps.send(entryOf(round, win), 1));
  const { balance } = await placeBet(deps, round, bet).catch((error: unknown) => {
    if (undo) deps.outbox.release(undo.id);
    throw error;
  });
  const left = early?.kind === 'accepted' ? calls.filter((call) => call !== win) : calls;
  return settle(deps, round, { calls: left, outcome, balance, obsolete: undo?.id });
}

async function playInOneCall(
  deps: RealPlayDeps,
  round: PlayedRound,
  { bet, order }: Stake,
): Promise<RoundResult> {
  const outcome = decide(deps, round.launch, order);
  const { balance } = await placeBet(deps, round, makeBetWin(bet, round.launch, outcome));
  await deps.outbox.remove(round.id);
  return { outcome, balance, isSettled: true };
}

/**
 * Returns the answer of the wallet if the wallet accepted the bet. Otherwise throws an error, and rolls the
 * bet back if the wallet may have applied it.
 */
async function placeBet(deps: RealPlayDeps, round: PlayedRound, bet: CallbackBody) {
  const { outbox, send, waitsMs } = deps;
  const entry = entryOf(round, bet);
  // The bet is stored on disk before it is sent. If this process ends, the next process can roll the bet
  // back.
  await outbox.hold(entry);
  const { verdict, wasUnknown } = await deliverCallback(send, entry, waitsMs);
  if (verdict.kind === 'accepted') return verdict.answer;
  // If an earlier attempt got no answer, the wallet may have applied it, even if the wallet refused a later
  // attempt.
  if (verdict.kind === 'unknown' || wasUnknown) {
    await outbox.hold({ ...entry, body: rollbackOf(entry) });
    outbox.release(entry.id);
  } else {
    await outbox.remove(entry.id);
  }
  throw explainRefusal(verdict);
}

interface Settlement {
  readonly calls: readonly CallbackBody[];
  readonly outcome: Outcome;
  /** The player's balance before the calls are sent. */
  readonly balance?: number | null;
  /** The id of an outbox entry that is removed once the calls are stored. */
  readonly obsolete?: string | undefined;
}

async function settle(
  deps: RealPlayDeps,
  round: PlayedRound,
  { calls, outcome, balance = null, obsolete }: Settlement,
): Promise<RoundResult> {
  const { outbox, send, waitsMs } = deps;
  const entries = calls.map((body, index) => entryOf(round, body, index === 0 ? '' : `-${body.action}`));
  for (const entry of entries) await outbox.hold(entry);
  if (entries.length === 0) await outbox.remove(round.id);
  if (obsolete !== undefined) await outbox.remove(obsolete);
  let latest = balance;
  for (const [index, entry] of entries.entries()) {
    const { verdict } = await deliverCallback(send, entry, waitsMs);
    if (verdict.kind === 'accepted') {
      await outbox.remove(entry.id);
      latest = verdict.answer.balance;
      continue;
    }
    const isOver = isFinal(verdict);
    if (isOver) await outbox.remove(entry.id);
    for (const left of entries.slice(isOver ? index + 1 : index)) outbox.release(left.id);
    if (isOver) throw fail('settlement_refused', { data: { round_id: entry.body.round_id } });
    return { outcome, balance: null, isSettled: false };
  }
  return { outcome, balance: latest, isSettled: true };
}

export function decide(deps: RealPlayDeps, launch: Launch, order: RoundOrder): Outcome {
  const outcome = runMachine(launch.game.machine, { ...order, draw: deps.draw });
  if (!outcome) throw fail('invalid_parameter');
  return outcome;
}

function explainRefusal(verdict: Exclude<Verdict, { kind: 'accepted' }>): Error {
  if (verdict.kind === 'unknown') return fail('wallet_unreachable');
  const { refusal, answer } = verdict;
  if (refusal === 'insufficient_funds') return fail(refusal, { data: { balance: answer.balance } });
  return fail(refusal ?? 'play_refused');
}
