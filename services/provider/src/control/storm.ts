// Sends a storm of callbacks: the same body many times in parallel, like a broken provider.
import { Type } from 'typebox';
import type { Callback } from '../callbacks/callback.ts';
import type { SendCallback } from '../callbacks/send-callback.ts';
import { Uid } from '../packages/packages.ts';

export const StormBody = Type.Object({
  uid: Uid,
  count: Type.Integer({ minimum: 1, maximum: 1000 }),
  parallel: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
  /** The callback to send; by default the last callback of the package. */
  body: Type.Optional(
    Type.Object({ action: Type.String({ maxLength: 32 }), player_id: Type.String({ maxLength: 128 }) }),
  ),
});

/**
 * Sends the callback `count` times. Returns the number of answers of each kind, such as
 * `{"accepted 200": 99, "unknown -": 1}`.
 */
export async function raiseStorm(
  send: SendCallback,
  callback: Callback,
  size: { count: number; parallel: number },
): Promise<Record<string, number>> {
  const tally: Record<string, number> = {};
  let left = size.count;
  const worker = async () => {
    while (left-- > 0) {
      const verdict = await send(callback, 1);
      const status = verdict.kind === 'accepted' ? 200 : (verdict.status ?? '-');
      const name = `${verdict.kind} ${status}`;
      tally[name] = (tally[name] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: size.parallel }, worker));
  return tally;
}
