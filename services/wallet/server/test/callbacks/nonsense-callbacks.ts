// Sends callbacks with nonsensical bodies, which must all be refused and change nothing.
import { expect } from 'vitest';
import type { Provider } from '../environment/callbacks.ts';
import { createRandom } from '../ledger/model/random.ts';

/** Sends this number of random bodies, 50 at a time. */
export async function expectNonsenseRefused(
  provider: Provider,
  player: string,
  bodies: number,
): Promise<void> {
  const random = createRandom(20260504);
  const words = ['bet', 'win', 'bet_win', 'rollback', 'refund', 'cancel', 'end_round', 'x', ''];
  const fields = [
    ...['action', 'player_id', 'transaction_id', 'amount', 'bet_amount', 'win_amount', 'currency'],
    ...['game_id', 'round_id', 'reference_transaction_id', 'round_finished', 'session_id'],
    ...['__proto__', 'constructor', 'iat', ''],
  ];
  const value = (depth = 0): unknown => {
    const simple: unknown[] = [
      ...[null, true, false, 0, -1, 1e308, 5e-324, 0.001, Number('12345678901234567890')],
      ...['', ' ', '0x10', '1e3', '-5', '1.', '.5', '１', 'NaN', '\u0000', '\ud800', '\u2028'],
      ...['x'.repeat(300), '😀'.repeat(129), 'EUR', 'usd', random.pick(words)],
    ];
    if (depth < 2 && random.chance(5)) return [value(depth + 1), value(depth + 1)];
    if (depth < 2 && random.chance(5)) return { [random.pick(fields)]: value(depth + 1) };
    return random.pick(simple);
  };
  const before = await provider.books();
  const send = async (): Promise<number> => {
    // Most bodies have a valid action and player, so that later checks run. No transaction_id is valid.
    const body: Record<string, unknown> = { transaction_id: random.pick(['', 7, null, '\u0007']) };
    if (!random.chance(3)) body.action = random.pick(words.slice(0, 6));
    if (!random.chance(3)) body.player_id = player;
    for (let i = random.below(6); i > 0; i--) {
      const field = random.pick(fields.filter((name) => name !== 'transaction_id'));
      if (field !== 'action' || random.chance(2)) body[field] = value();
    }
    if (body.action === 'end_round') delete body.round_id;
    const text = JSON.stringify(body);
    const cut = random.chance(6) ? text.slice(0, random.below(text.length)) : text;
    const answer = await provider.send(random.chance(20) ? JSON.stringify(value()) : cut);
    expect(answer.body.request_id).toEqual(expect.any(String));
    return answer.status;
  };
  const statuses = new Set<number>();
  for (let sent = 0; sent < bodies; sent += 50) {
    for (const status of await Promise.all(Array.from({ length: 50 }, send))) statuses.add(status);
  }
  expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  expect(statuses.has(400)).toBe(true);
  expect(await provider.books()).toEqual(before);
}
