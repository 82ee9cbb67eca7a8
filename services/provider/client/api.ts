// The requests of the page. A round whose answer was lost is requested again, not played again.
import { wait } from './page-parts.ts';

interface SharedRules {
  id: string;
  name: string;
  studio: string;
  rtp: number;
  volatility: string;
  hue: number;
  accent: number;
}

export interface SlotRules extends SharedRules {
  kind: 'slot';
  pays: number[][];
  lines: number[][];
}

export interface PickRules extends SharedRules {
  kind: 'roulette' | 'dice';
  fields: { id: string; label: string; times: number }[];
}

export interface PlayState {
  game: SlotRules | PickRules;
  mode: 'real' | 'demo';
  currency: string;
  decimals: number;
  language: string;
  bets_minor: number[];
  balance: number | null;
  next_round: number;
  return_url: string | null;
}

export interface SlotOutcome {
  kind: 'slot';
  grid: number[][];
  wins: { line: number; symbol: number; count: number; win_minor: number }[];
}

export interface PickOutcome {
  kind: 'pick';
  drawn: number;
  field: string;
  won: boolean;
}

export interface RoundOrder {
  round: number;
  bet_minor: number;
  field: string | null;
}

export interface Round extends RoundOrder {
  win_minor: number;
  balance: number | null;
  settled: boolean;
  outcome: SlotOutcome | PickOutcome;
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

/** The number is the same at every attempt, so the stake is taken once. */
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
