// Plays the provider's games like a browser, and computes the balance that each player should have.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProviderProcess } from './provider.ts';
import { presentHeaders, type TestRun } from './test-run.ts';

interface PlayedTally {
  /** Rounds that ended normally: the bet was charged and the win was paid. */
  completed: number;
  /** Rounds whose bet got no answer and was rolled back. */
  rolledBack: number;
  /** Answers of rounds that were neither completed nor rolled back. */
  readonly odd: string[];
}

export interface GamePlayers {
  readonly tally: PlayedTally;
  /** All players play at the same time. Each player plays this number of rounds, one after another. */
  play(rounds: number): Promise<void>;
  /** Adds a bet that was sent without a browser, such as a bet in a flood, to the expected balance. */
  recordBet(player: string, amountMinor: bigint): void;
  /** Lists the players whose balance differs from the sum of their rounds. */
  listDifferences(url: string): Promise<string[]>;
}

interface Seat {
  readonly player: string;
  readonly address: string;
  readonly cookie: string;
  readonly betMinor: number;
  readonly field: string | null;
  round: number;
}

type Body = ReturnType<typeof JSON.parse>;

const patienceMs = 60_000;

async function ask(url: string, headers: Record<string, string>, body?: object) {
  const answer = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    signal: AbortSignal.timeout(patienceMs),
    ...(body && { body: JSON.stringify(body) }),
  });
  return { answer, text: await answer.text() };
}

/**
 * Retries while the wallet answers 503. After a failure, the wallet calls the provider again only after a
 * pause.
 */
async function askUntilServed(url: string, headers: Record<string, string>, body?: object) {
  for (const deadline = performance.now() + patienceMs; ; await sleep(200)) {
    const { answer, text } = await ask(url, headers, body);
    if (answer.ok) return JSON.parse(text).data as Body;
    if (answer.status !== 503 || performance.now() > deadline) throw new Error(text);
  }
}

async function launchGame(testRun: TestRun, url: string, player: string): Promise<Seat> {
  const { caller } = presentHeaders(testRun);
  const { games } = await askUntilServed(`${url}/api/v1/game/list`, caller);
  const order = { player_id: player, game_id: games[0].game_id, mode: 'real' };
  const launched = await askUntilServed(`${url}/api/v1/game/launch`, caller, order);
  const address: string = launched.launch_url;
  const opened = await ask(address, {});
  const cookie = String(opened.answer.headers.get('set-cookie')).split(';')[0] ?? '';
  const state: Body = JSON.parse((await ask(`${address}/api/state`, { cookie })).text);
  const field = state.game.fields?.[0]?.id ?? null;
  return { player, address, cookie, betMinor: state.bets_minor[0], field, round: 0 };
}

/** Launches a game for each player. The provider must work, and each player must have `fundsMinor`. */
export async function seatPlayers(testRun: TestRun, url: string, fundsMinor: bigint): Promise<GamePlayers> {
  const seats = await Promise.all(testRun.players.map((player) => launchGame(testRun, url, player)));
  const due = new Map(testRun.players.map((player) => [player, fundsMinor]));
  const tally: PlayedTally = { completed: 0, rolledBack: 0, odd: [] };
  const add = (player: string, amountMinor: bigint) =>
    void due.set(player, (due.get(player) ?? 0n) + amountMinor);
  const spin = async (seat: Seat) => {
    const { player, address, cookie, betMinor, field } = seat;
    const order = { round: ++seat.round, bet_minor: betMinor, field };
    const { answer, text } = await ask(`${address}/api/spin`, { cookie }, order);
    const body: Body = JSON.parse(text);
    if (answer.status === 200) {
      tally.completed++;
      add(player, BigInt(body.win_minor) - BigInt(betMinor));
    } else if (body.code === 'wallet_unreachable') tally.rolledBack++;
    else tally.odd.push(`${answer.status} ${body.code}`);
  };
  return {
    tally,
    play: async (rounds) => {
      const playOne = async (seat: Seat) => {
        for (let i = 0; i < rounds; i++) await spin(seat);
      };
      await Promise.all(seats.map(playOne));
    },
    recordBet: (player, amountMinor) => add(player, -amountMinor),
    listDifferences: async (walletUrl) => {
      const found: string[] = [];
      for (const [player, wantedMinor] of due) {
        const path = `/api/v1/user/balance?player_id=${player}`;
        const { text } = await ask(`${walletUrl}${path}`, presentHeaders(testRun).caller);
        const heldMinor = BigInt(Math.round(JSON.parse(text).data.balance * 100));
        if (heldMinor !== wantedMinor) found.push(`${player}: ${heldMinor}, not ${wantedMinor}`);
      }
      return found;
    },
  };
}

/** Waits until the provider has delivered all wins and rollbacks. */
export async function waitUntilDelivered(provider: ProviderProcess, uid: string): Promise<void> {
  for (const deadline = performance.now() + 2 * patienceMs; performance.now() < deadline; ) {
    if ((await provider.countPending(uid)) === 0) return;
    await sleep(200);
  }
  throw new Error('the provider still has callbacks to deliver');
}
