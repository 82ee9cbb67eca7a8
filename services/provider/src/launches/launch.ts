// A launch is the wallet's request to open a game for a player. This file defines and checks launches.

import { PrintableText } from '@counterfoil/kit/http/text';
import { isCurrency, maxDecimals } from '@counterfoil/kit/money';
import { type Static, Type } from 'typebox';
import { fail, invalidField } from '../errors.ts';
import type { Game } from '../games/game.ts';
import { games } from '../games/make-games.ts';
import { Uid } from '../packages/packages.ts';

const OptionalText = (max: number) => Type.Optional(Type.Union([PrintableText({ max }), Type.Null()]));

export const LaunchBody = Type.Object({
  package: Uid,
  player_id: PrintableText({ min: 1, max: 64 }),
  session_id: PrintableText({ min: 1, max: 128 }),
  game_id: PrintableText({ min: 1, max: 200 }),
  mode: Type.Enum(['real', 'demo']),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  decimals: Type.Integer({ minimum: 0, maximum: maxDecimals }),
  language: OptionalText(35),
  platform: OptionalText(35),
  return_url: OptionalText(2048),
  session_expires_at: PrintableText({ min: 20, max: 40 }),
});

export type Launch = ReturnType<typeof parseLaunch>;

export function parseLaunch(body: Static<typeof LaunchBody>) {
  if (!isCurrency(body.currency)) throw invalidField('currency', 'is not known.');
  const expiresAtMs = Date.parse(body.session_expires_at);
  if (Number.isNaN(expiresAtMs)) throw invalidField('session_expires_at', 'is no time.');
  const returnUrl = body.return_url ?? null;
  if (returnUrl !== null && !isWebAddress(returnUrl)) {
    throw invalidField('return_url', 'must be an http or https address.');
  }
  return {
    uid: body.package,
    playerId: body.player_id,
    sessionId: body.session_id,
    game: getPlayableGame(body.game_id, body.mode),
    mode: body.mode,
    currency: body.currency,
    decimals: body.decimals,
    language: parseLanguage(body.language),
    returnUrl,
    expiresAtMs,
  };
}

function getPlayableGame(id: string, mode: 'real' | 'demo'): Game {
  const game = games.get(id);
  if (!game) throw fail('game_not_found');
  if (game.status !== 'active' || (mode === 'demo' && !game.hasDemo)) throw fail('game_unavailable');
  return game;
}

const isWebAddress = (text: string) =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

/** The locale in which the browser formats amounts; `en` if the language tag is missing or not valid. */
function parseLanguage(text: string | null | undefined): string {
  try {
    return Intl.getCanonicalLocales(text ?? 'en')[0] ?? 'en';
  } catch {
    return 'en';
  }
}
