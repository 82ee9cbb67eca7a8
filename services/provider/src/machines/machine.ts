// A machine draws the outcome of a round. Every game uses one machine.
import type { Draw } from './draw.ts';
import { dice, type PickModel, type PickResult, playPick, roulette } from './picks.ts';
import { type SlotModel, type SlotResult, spinSlot } from './slot.ts';
import { classicSlots, videoSlots } from './slot-models.ts';

export type Machine =
  | { readonly kind: 'slot'; readonly model: SlotModel }
  | { readonly kind: 'pick'; readonly model: PickModel };

export type Outcome = ({ readonly kind: 'slot' } & SlotResult) | ({ readonly kind: 'pick' } & PickResult);

const slot = (model: SlotModel): Machine => ({ kind: 'slot', model });
const pick = (model: PickModel): Machine => ({ kind: 'pick', model });

export const machines = {
  slots: videoSlots.map(slot),
  classic: classicSlots.map(slot),
  table: [pick(roulette)],
  instant: [pick(dice)],
} as const;

/** Draws the outcome of a round; undefined if the machine does not have the picked field. */
export function runMachine(
  machine: Machine,
  play: { betMinor: bigint; field: string | null; draw: Draw },
): Outcome | undefined {
  const { betMinor, draw } = play;
  if (machine.kind === 'slot') {
    return { kind: 'slot', ...spinSlot(machine.model, betMinor, draw) };
  }
  const { model } = machine;
  const result = playPick({ model, betMinor, fieldId: play.field ?? '', draw });
  return result && { kind: 'pick', ...result };
}

/** The available stakes in minor units. All are multiples of ten, so every payout is a whole number. */
export function listBets(decimals: number): bigint[] {
  const scale = 10n ** BigInt(Math.max(0, decimals - 2));
  return [20n, 50n, 100n, 200n, 500n, 1000n, 2000n].map((bet) => bet * scale);
}
