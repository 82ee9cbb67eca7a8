// The requests of the game page. If the answer to a round is lost, the same round is requested again.
import type { presentState } from '@counterfoil/provider/play/present-state';
import type { presentRound } from '@counterfoil/provider/play/round';
import { wait } from './page-parts.ts';

export type PlayState = ReturnType<typeof presentState>;
export type SlotRules = Extract<PlayState['game'], { kind: 'slot' }>;
export type PickRules = Exclude<PlayState['game'], SlotRules>;
export type Round = ReturnType<typeof presentRound>;
export type SlotOutcome = Extract<Round['outcome'], { kind: 'slot' }>;
export type PickOutcome = Extract<Round['outcome'], { kind: 'pick' }>;

export interface RoundOrder {
  round: number;
  bet_minor: number;
  field: string | null;
}

export class Refusal extends Error {
  readonly code: string;
  readonly balance: number | null;

  constructor(body: { code?: string; msg?: string; data?: { balance?: number | null } }) {
    super(body.msg ?? 'Something went wrong');
    this.code = body.code ?? 'unknown';
    this.balance = body.data?.balance ?? null;
  }
}

const base = window.location.pathname.replace(/\/$/, '');

async function ask<T>(path: string, body?: object): Promise<T> {
  const answer = await fetch(`${base}/api/${path}`, {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
    signal: AbortSignal.timeout(60_000),
  });
  const content = (await answer.json()) as T;
  if (!answer.ok) throw new Refusal(content as object);
  return content;
}

export const fetchState = (): Promise<PlayState> => ask('state');

/**
 * Requests a round. If there is no answer, the request is repeated up to four times. Every request has the
 * same round number, so the server takes the stake only once.
 */
export async function playRound(order: RoundOrder, onTrouble: () => void): Promise<Round> {
  for (let pauseMs = 500; ; pauseMs *= 2) {
    try {
      return await ask('spin', order);
    } catch (error) {
      if (error instanceof Refusal || pauseMs > 4000) throw error;
      onTrouble();
      await wait(pauseMs);
    }
  }
}
