// A launch of a game, as it is requested and as it is answered.

import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { PrintableText } from '@counterfoil/kit/http/text';
import { toJsonNumber, type Unit } from '@counterfoil/kit/money';
import { type Static, Type } from 'typebox';
import { fail } from '../errors.ts';
import { type CustomerPackage, checkCurrency, isOriginAllowed } from '../packages/customer-package.ts';
import { PlayerId } from '../players/player.ts';
import type { LaunchMode, LaunchSource } from './game-session.ts';

/**
 * The form of a return URL: visible ASCII, without a backslash, and without an `@` in the authority. In a URL
 * without this form, a browser may find a different host than the check of the domain.
 */
const form = /^https?:\/\/[^\s/?#@\\]+(?:[/?#][!-[\]-~]*)?$/i;

/** The URL in its normal form; undefined if the URL is not valid or its domain is not whitelisted. */
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
  currency: orNull(Type.String({ description: "The package's currency." })),
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
      description: 'The address that the player returns to, on a whitelisted domain of the package.',
    }),
  ),
  platform: orNull(Type.Enum(['desktop', 'mobile'])),
  mode: orNull(Type.Enum(['real', 'demo'], { description: '`real` by default.' })),
});

/** The settings of a package that a launch needs. */
export type LaunchTerms = Pick<
  CustomerPackage,
  'id' | 'uid' | 'currency' | 'decimals' | 'domains' | 'sharedLaunch'
>;

export interface WantedLaunch {
  readonly playerId: string;
  readonly gameId: string;
  readonly mode: LaunchMode;
  readonly language: string | undefined;
  readonly platform: string | undefined;
  readonly returnUrl: string | undefined;
}

export function readLaunch(sent: Static<typeof LaunchBody>, terms: LaunchTerms): WantedLaunch {
  checkCurrency(sent, terms);
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
    launch_url: Type.String({ description: 'Valid once, for this player only. Do not store it.' }),
    launch_url_expires_at: time,
    session_id: Type.String({ description: 'The session. Its callbacks contain this id.' }),
    expires_at: Type.String({
      format: 'date-time',
      description: 'The end of the session. Later bets are refused; later wins and rollbacks are accepted.',
    }),
    game_id: Type.String(),
    mode: Type.Enum(['real', 'demo']),
    source: Type.Enum(['private', 'shared']),
    balance: Type.Number(),
    currency: Type.String(),
  }),
);

export const presentLaunch = (
  launched: Launched,
  { gameId, mode }: WantedLaunch,
  { balance, unit }: { balance: bigint; unit: Unit },
) => ({
  launch_url: launched.launchUrl,
  launch_url_expires_at: launched.launchUrlExpiresAt.toISOString(),
  session_id: launched.sessionId,
  expires_at: launched.expiresAt.toISOString(),
  game_id: gameId,
  mode,
  source: launched.source,
  balance: toJsonNumber(balance, unit),
  currency: unit.currency,
});
