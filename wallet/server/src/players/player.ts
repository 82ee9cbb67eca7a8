// A player of a package, and what answers say of one.
import { PrintableText } from '@counterfoil/kit/text';
import { Type } from 'typebox';

export type PlayerStatus = 'active' | 'blocked';

export interface Player {
  readonly packageId: number;
  readonly accountId: bigint;
  readonly playerId: string;
  readonly name: string;
  readonly status: PlayerStatus;
  readonly createdAt: Date;
}

export interface PlayerBalance {
  readonly playerId: string;
  readonly status: PlayerStatus;
  readonly balance: bigint;
  readonly updatedAt: Date;
}

export const PlayerId = PrintableText({
  min: 1,
  max: 64,
  description: "The caller's own identifier of the player; exact and case-sensitive.",
  examples: ['player-1'],
});

export const PlayerStatusAnswer = Type.Union([Type.Literal('active'), Type.Literal('blocked')]);
