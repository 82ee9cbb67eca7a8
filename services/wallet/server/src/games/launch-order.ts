// What a launch may be asked for, as it is sent and as it is read.
import { PrintableText } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import { PlayerId } from '../players/player.ts';
import type { LaunchMode } from './game-session.ts';
import { parseReturnUrl } from './return-url.ts';

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

export interface SentLaunch {
  readonly player_id: string;
  readonly game_id: string;
  readonly currency?: string | null;
  readonly language?: string | null;
  readonly return_url?: string | null;
  readonly platform?: 'desktop' | 'mobile' | null;
  readonly mode?: LaunchMode | null;
}

/** The package's side of a launch. */
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
