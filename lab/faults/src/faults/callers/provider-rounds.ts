// Plays rounds while the provider repeats, reorders, loses and floods callbacks. Balances must match the
// rounds.
import { setTimeout as sleep } from 'node:timers/promises';
import { type GamePlayers, seatPlayers, waitUntilDelivered } from '../../environment/game-players.ts';
import type { ProviderProcess } from '../../environment/provider.ts';
import type { TestEnvironment } from '../../environment/test-environment.ts';
import type { TestRun } from '../../environment/test-run.ts';
import type { Figure } from '../../fault.ts';

export const roundFundsMinor = 1000_00n;
const floodBetMinor = 1_00n;
const floodSize = 1000;

interface Table {
  readonly environment: TestEnvironment;
  readonly provider: ProviderProcess;
  /**
   * A separate package for the games. The callbacks of the games are not in the callers' log, so the checker
   * would report them if they were in the callers' package.
   */
  readonly testRun: TestRun;
  readonly url: string;
}

/**
 * The provider sends every callback twice at the same time, sends wins before their bets, and loses the first
 * two answers.
 */
const unreliable = { duplicate_callbacks: true, reorder_callbacks: true, lose_answers: 2 };
/**
 * While the player waits, the provider makes four attempts and loses the wallet's answers to all of them. The
 * provider then rolls the bet back.
 */
const unanswered = { lose_answers: 4 };
const stalling = { private: 'stall', public: 'stall', shared: 'stall', duplicate_callbacks: true };

export async function playRounds(table: Table): Promise<Figure[]> {
  const { environment, provider, testRun, url } = table;
  const game = await seatPlayers(testRun, url, roundFundsMinor);
  const rounds = environment.size(10, 2) * testRun.players.length;
  const lostRounds = environment.size(3, 1) * testRun.players.length;
  await provider.order(unreliable);
  await game.play(environment.size(10, 2));
  await provider.order(unanswered);
  await game.play(environment.size(3, 1));
  await provider.order(stalling);
  const flooded = await flood(table, game);
  await provider.order({});
  await waitUntilDelivered(provider, testRun.uid);
  const differences = await game.listDifferences(url);
  for (const each of [...differences, ...game.tally.odd]) environment.say(`in the rounds: ${each}`);
  const seen = await readRepeats(environment, testRun.id, rounds);
  return [
    { label: 'rounds completed', value: game.tally.completed, atLeast: rounds * 0.9 },
    { label: 'rounds rolled back', value: game.tally.rolledBack, atLeast: lostRounds },
    { label: 'other answers to players', value: game.tally.odd.length, atMost: 0 },
    { label: 'callbacks answered as repeats', value: seen.repeats, atLeast: rounds },
    { label: 'wins before their bets', value: seen.early, atLeast: rounds },
    { label: 'balances that differ from the rounds', value: differences.length, atMost: 0 },
    ...flooded,
  ];
}

/** Sends two floods alternately: one bet 1,000 times, which must be applied once, and 1,000 balance reads. */
async function flood({ environment, provider, testRun }: Table, game: GamePlayers): Promise<Figure[]> {
  const [player = ''] = testRun.players;
  const answers: Record<string, number> = {};
  const floods = environment.size(20, 2);
  let unaccepted = 0;
  for (let i = 0; i < floods; i++) {
    const isBet = i % 2 === 0;
    const id = `flood-${i}`;
    const bet = { transaction_id: id, round_id: id, game_id: 'flood', currency: 'EUR', amount: 1 };
    const body = { action: isBet ? 'bet' : 'balance', player_id: player, ...(isBet && bet) };
    const received = await provider.flood(testRun.uid, body, floodSize);
    for (const [kind, count] of Object.entries(received)) answers[kind] = (answers[kind] ?? 0) + count;
    if (isBet) game.recordBet(player, floodBetMinor);
    if (!('accepted 200' in received)) unaccepted++;
  }
  environment.say(`flooded: ${JSON.stringify(answers)}`);
  const count = (start: string) =>
    Object.entries(answers).reduce((sum, [kind, n]) => sum + (kind.startsWith(start) ? n : 0), 0);
  const accepted = count('accepted');
  return [
    { label: 'flooded callbacks accepted', value: accepted, atLeast: floods * floodSize * 0.9 },
    { label: 'flooded callbacks refused', value: count('refused'), atMost: 0 },
    { label: 'floods without an accepted callback', value: unaccepted, atMost: 0 },
  ];
}

/** Counts repeats and early wins in the wallet's callback log, to prove that the provider sent them. */
async function readRepeats(environment: TestEnvironment, packageId: number, wanted: number) {
  let seen = { repeats: 0, early: 0 };
  for (let waits = 0; waits < 50; waits++) {
    const { rows } = await environment.db.query<{ repeats: number; early: number }>(
      `select
         coalesce(sum(attempts) filter (where code = ''), 0)::int
           - count(distinct (action, transaction_id)) filter (where code = '')::int as repeats,
         coalesce(sum(attempts) filter (where action = 'win' and code = 'bet_not_found'), 0)::int
           as early
       from callback_log
       where package_id = $1 and action <> 'balance' and transaction_id not like 'flood-%'`,
      [packageId],
    );
    seen = rows[0] ?? seen;
    // Waits, because the wallet writes its callback log about once a second, after the answers.
    if (seen.repeats >= wanted && seen.early >= wanted) break;
    await sleep(200);
  }
  return seen;
}
