// Lists and launches games continuously, and records the duration and status of the answers.
import { setTimeout as sleep } from 'node:timers/promises';
import { presentHeaders, type TestRun } from './test-run.ts';

export interface GameTrafficTally {
  readonly lists: number;
  readonly launches: number;
  readonly slowestMs: number;
  /** A description of the slowest call, with the number of list calls that were sent before it. */
  readonly slowest: string;
  /** Answers that are neither a success nor a 503 with Retry-After. */
  readonly odd: readonly string[];
}

const pauseMs = 100;
const patienceMs = 15_000;

export function startGameTraffic(testRun: TestRun, url: string): { stop(): Promise<GameTrafficTally> } {
  const tally = { lists: 0, launches: 0, slowestMs: 0, slowest: '', odd: [] as string[] };
  let stopping = false;
  let game: string | undefined;
  const call = async (path: string, body?: object): Promise<void> => {
    const startedAt = performance.now();
    const sent = {
      method: body ? 'POST' : 'GET',
      headers: { ...presentHeaders(testRun).caller, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(patienceMs),
      ...(body && { body: JSON.stringify(body) }),
    };
    try {
      const answer = await fetch(`${url}/api/v1/game/${path}`, sent);
      const { data } = (await answer.json()) as { data?: { games?: { game_id: string }[] } };
      game ??= data?.games?.[0]?.game_id;
      const isRight = answer.status === 200 || (answer.status === 503 && answer.headers.has('retry-after'));
      if (!isRight) tally.odd.push(`${path} ${answer.status}`);
    } catch (error) {
      tally.odd.push(`${path} ${(error as Error).name}`);
    }
    const tookMs = performance.now() - startedAt;
    if (tookMs <= tally.slowestMs) return;
    tally.slowestMs = tookMs;
    tally.slowest = `${path} after ${tally.lists} lists`;
  };
  const visit = async () => {
    while (!stopping) {
      await call('list');
      tally.lists++;
      if (game !== undefined) {
        await call('launch', { player_id: testRun.players[0], game_id: game, mode: 'real' });
        tally.launches++;
      }
      await sleep(pauseMs);
    }
  };
  const visits = [visit(), visit()];
  return {
    stop: async () => {
      stopping = true;
      await Promise.all(visits);
      return tally;
    },
  };
}
