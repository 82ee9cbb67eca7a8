// A launch of a game, as it is requested and as it is answered.

import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { PrintableText } from '@counterfoil/kit/http/text';
import { toJsonNumber } from '@counterfoil/kit/money';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import { isOriginAllowed } from '../packages/customer-package.ts';
import { PlayerId } from '../players/player.ts';
import type { LaunchMode, LaunchSource } from './game-session.ts';

/** Visible ASCII only. A backslash or an `@` in the authority would change the host for a browser. */
const form = /^https?:\/\/[^\s/?#@\\]+(?:[/?#][!-[\]-~]*)?$/i;

/** The URL in its normal form; undefined if it is not on a whitelisted domain. */
function parseReturnUrl(given: string, domains: readonly string[]): string | undefined {
  if (!form.test(given) || !URL.canParse(given)) return undefined;
  const url = new URL(given);
  if (url.username !== '' || url.password !== '') return undefined;
  return isOriginAllowed(url.origin, domains) ? url.href : undefined;
}

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

export const LaunchBody = Type.Object({
  player_id: PlayerId,
  game_id: PrintableText({ min: 1, max: 128, examples: ['moon-harvest'] }),
  currency: orNull(Type.String({ description: "The package's, or left out." })),
  language: orNull(
    Type.String({
      pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$',
      description: 'A language tag.',
      examples: ['en', 'pt-BR'],
    }),
  ),
  return_url: orNull(
    Type.String({
      maxLength: 2048,
      description: 'Where the player goes afterwards; on a whitelisted domain of the package.',
    }),
  ),
  platform: orNull(Type.Enum(['desktop', 'mobile'])),
  mode: orNull(Type.Enum(['real', 'demo'], { description: 'For money unless told.' })),
});

interface SentLaunch {
  readonly player_id: string;
  readonly game_id: string;
  readonly currency?: string | null;
  readonly language?: string | null;
  readonly return_url?: string | null;
  readonly platform?: 'desktop' | 'mobile' | null;
  readonly mode?: LaunchMode | null;
}

/** The settings of a package that a launch needs. */
export interface LaunchTerms {
  readonly id: number;
  readonly uid: string;
  readonly currency: string;
  readonly domains: readonly string[];
  readonly sharedLaunch: boolean;
}

export interface WantedLaunch {
  readonly playerId: string;
  readonly gameId: string;
  readonly mode: LaunchMode;
  readonly language: string | undefined;
  readonly platform: string | undefined;
  readonly returnUrl: string | undefined;
}

export function readLaunch(sent: SentLaunch, terms: LaunchTerms): WantedLaunch {
  const { currency } = terms;
  if ((sent.currency ?? currency) !== currency) {
    const sentence = `must be ${currency}, the package's currency.`;
    throw fail('currency_mismatch', { errors: { currency: [sentence] } });
  }
  const given = sent.return_url ?? undefined;
  const returnUrl = given === undefined ? undefined : parseReturnUrl(given, terms.domains);
  if (given !== undefined && returnUrl === undefined) {
    const sentence = 'must be an http(s) address on a whitelisted domain of the package.';
    throw fail('invalid_parameter', { errors: { return_url: [sentence] } });
  }
  return {
    playerId: sent.player_id,
    gameId: sent.game_id,
    mode: sent.mode ?? 'real',
    language: sent.language ?? undefined,
    platform: sent.platform ?? undefined,
    returnUrl,
  };
}

export interface Launched {
  readonly launchUrl: string;
  readonly launchUrlExpiresAt: Date;
  readonly sessionId: string;
  readonly expiresAt: Date;
  readonly source: LaunchSource;
}

const time = Type.String({ format: 'date-time' });

export const LaunchAnswer = named(
  'Launch',
  Type.Object({
    launch_url: Type.String({ description: 'Works once, for this player alone: never keep it.' }),
    launch_url_expires_at: time,
    session_id: Type.String({ description: 'Callbacks of this session carry it.' }),
    expires_at: Type.String({
      format: 'date-time',
      description: 'From then on the session takes no bets; wins and rollbacks it always takes.',
    }),
    game_id: Type.String(),
    mode: Type.Enum(['real', 'demo']),
    source: Type.Enum(['private', 'shared']),
    balance: Type.Number(),
    currency: Type.String(),
  }),
);

export const presentLaunch = (given: {
  launched: Launched;
  wanted: WantedLaunch;
  balance: bigint;
  currency: string;
}) => ({
  launch_url: given.launched.launchUrl,
  launch_url_expires_at: given.launched.launchUrlExpiresAt.toISOString(),
  session_id: given.launched.sessionId,
  expires_at: given.launched.expiresAt.toISOString(),
  game_id: given.wanted.gameId,
  mode: given.wanted.mode,
  source: given.launched.source,
  balance: toJsonNumber(given.balance, given.currency),
  currency: given.currency,
});
