// Applies random histories to the ledger's rules and to the naive model, and fails if they differ.
import { expect } from 'vitest';
import { answerName, findFault, shrink } from './compare.ts';
import { describeCommand, makeHistory, narrowSpace, smallSpace } from './histories.ts';
import type { Reading } from './model.ts';
import { createRandom } from './random.ts';

const overdrafts = [0n, 0n, 2n, 10n ** 15n - 1n];

/** The answers that must occur, so that the comparison covers all rules. */
export const wanted = [
  ...['action', 'amount', 'bet_amount', 'game_id', 'note', 'player_id', 'round_id', 'type'].map(
    (field) => `conflict ${field}`,
  ),
  'conflict reference_transaction_id',
  'conflict win_amount',
  ...['bet_already_settled', 'bet_not_found', 'bet_refused', 'bet_rolled_back', 'not_a_bet'].map(
    (code) => `refused ${code}`,
  ),
  'refused bet_limit',
  'refused player_blocked',
  'refused round_closed',
  ...['stored', 'repeated'].flatMap((kind) => [
    ...['applied', 'insufficient_funds', 'recorded'].map((result) => `${kind} bet ${result}`),
    ...['applied', 'insufficient_funds', 'recorded'].map((result) => `${kind} bet_win ${result}`),
    ...['applied', 'late', 'recorded', 'balance_limit'].map((result) => `${kind} win ${result}`),
    ...['applied', 'balance_limit', 'package_credit_exhausted'].map((result) => `${kind} credit ${result}`),
    ...['applied', 'balance_limit', 'insufficient_funds'].map((result) => `${kind} debit ${result}`),
    ...['rolled_back', 'already_rolled_back', 'tombstoned', 'nothing_to_roll_back'].map(
      (result) => `${kind} rollback ${result}`,
    ),
    `${kind} end_round closed`,
    `${kind} top_up applied`,
    `${kind} top_up balance_limit`,
    `${kind} top_up_reversal applied`,
    `${kind} top_up_reversal package_credit_exhausted`,
  ]),
  'stored bet_win balance_limit',
  'stored rollback balance_limit',
];

/** Checks `histories` histories with the seeds from `seed` on, and counts how often each answer was given. */
export function checkHistories(
  seed: number,
  histories: number,
  reading: Reading,
  seen = new Map<string, number>(),
): Map<string, number> {
  for (let i = 0; i < histories; i++) {
    const random = createRandom(seed + i);
    const overdraft = random.pick(overdrafts);
    const commands = makeHistory(random, i % 3 === 0 ? narrowSpace : smallSpace, 11);
    const fault = findFault(commands, overdraft, reading, (answer) => {
      for (const name of answerName(answer)) seen.set(name, (seen.get(name) ?? 0) + 1);
    });
    if (fault === undefined) continue;
    const rest = shrink(commands, (left) => findFault(left, overdraft, reading) !== undefined);
    expect.fail(
      `${fault}\nTEST_SEED=${seed} history ${i} overdraft ${overdraft}, in short:\n` +
        `${findFault(rest, overdraft, reading)}\n${rest.map(describeCommand).join('\n')}`,
    );
  }
  return seen;
}
