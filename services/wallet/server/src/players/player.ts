// A player of a package, and its form in answers.
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { isPrintable, PrintableText } from '@counterfoil/kit/http/text';
import { toJsonNumber, type Unit } from '@counterfoil/kit/money';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import { MaxStake, presentMaxStake } from '../packages/package-settings.ts';

export type PlayerStatus = 'active' | 'blocked';

export interface Player {
  readonly packageId: number;
  readonly accountId: bigint;
  readonly playerId: string;
  readonly name: string;
  readonly status: PlayerStatus;
  readonly createdAt: Date;
}

/** The properties of a player that decide whether a bet is accepted. */
export interface PlayerStanding {
  readonly status: PlayerStatus;
  readonly maxStake: bigint | undefined;
}

export interface ListedPlayer extends Player {
  readonly balance: bigint;
}

/** A player as the panel shows it. */
export interface PlayerDetails extends ListedPlayer {
  readonly maxStake: bigint | undefined;
  /** Undefined if the player never had promo money. */
  readonly promoBalance: bigint | undefined;
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
  description: "The caller's identifier of the player; case-sensitive.",
  examples: ['player-1'],
});

export const PlayerStatusAnswer = Type.Union([Type.Literal('active'), Type.Literal('blocked')]);

export const PlayerAnswer = {
  player_id: Type.String(),
  name: Type.String(),
  currency: Type.String(),
  balance: Type.Number(),
  status: PlayerStatusAnswer,
  created_at: Type.String({ format: 'date-time' }),
};

export const Player = named('Player', Type.Object(PlayerAnswer));

export function presentPlayer(player: ListedPlayer, unit: Unit) {
  return {
    player_id: player.playerId,
    name: player.name,
    currency: unit.currency,
    balance: toJsonNumber(player.balance, unit),
    status: player.status,
    created_at: player.createdAt.toISOString(),
  };
}

export const PlayerDetails = named(
  'PlayerDetails',
  Type.Object({
    ...PlayerAnswer,
    promo_balance: Type.Optional(
      Type.Number({ description: 'Promo money; absent if the player never had any.' }),
    ),
    max_stake: MaxStake,
  }),
);

export const presentPlayerDetails = (player: PlayerDetails, unit: Unit) => ({
  ...presentPlayer(player, unit),
  ...(player.promoBalance !== undefined && { promo_balance: toJsonNumber(player.promoBalance, unit) }),
  max_stake: presentMaxStake(player.maxStake, unit),
});

const maxMetadataBytes = 4096;

export const Metadata = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  description: 'Your data about the player, as JSON of up to 4 KiB.',
});

/**
 * Refuses metadata of more than 4 KiB of JSON text. Also refuses texts with lone surrogates or with control
 * characters other than tabs and line breaks. PostgreSQL's JSON does not accept NUL and lone surrogates.
 */
export function checkMetadata(metadata: Record<string, unknown> | null | undefined): void {
  if (metadata === null || metadata === undefined) return;
  const refuse = (sentence: string) => {
    throw fail('invalid_parameter', { errors: { metadata: [sentence] } });
  };
  const isLarge =
    isDeeperThan(metadata, maxMetadataBytes / 2) ||
    Buffer.byteLength(JSON.stringify(metadata)) > maxMetadataBytes;
  if (isLarge) refuse('must be at most 4 KiB of JSON.');
  if (!hasCleanTexts(metadata)) refuse('has characters that are not allowed.');
}

/**
 * Whether a value has more than this number of levels. Call this function before the value is written as JSON
 * or checked, because a deep value could overflow the stack. Each level needs at least two bytes of JSON, so
 * a value with too many levels is also too large.
 */
function isDeeperThan(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}

function hasCleanTexts(value: unknown): boolean {
  if (typeof value === 'string') return isPrintable(value.replace(/[\n\r\t]/g, ''));
  if (value === null || typeof value !== 'object') return true;
  return Object.entries(value).every(([key, inner]) => hasCleanTexts(key) && hasCleanTexts(inner));
}
