// What a launch is answered with, to callers and in the panel alike.

import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { toJsonNumber } from '@counterfoil/kit/money';
import { Type } from 'typebox';
import type { Launched } from './launch-game.ts';
import type { WantedLaunch } from './launch-order.ts';

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
