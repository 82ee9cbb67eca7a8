// The state that the page of a game shows: the game, its rules, the stakes and the balance.
import type { Game } from '../games/game.ts';
import type { PlaySession } from '../launches/play-session.ts';
import { listBets } from '../machines/machine.ts';

export function presentState(session: PlaySession, balance: number | null) {
  const { launch } = session;
  const { decimals } = launch;
  return {
    game: presentRules(launch.game),
    mode: launch.mode,
    currency: launch.currency,
    decimals,
    language: launch.language,
    bets_minor: listBets(decimals).map(Number),
    balance,
    next_round: (session.lastRound?.number ?? 0) + 1,
    return_url: launch.returnUrl,
    session_expires_at: new Date(launch.expiresAtMs).toISOString(),
  };
}

function presentRules(game: Game) {
  const { machine } = game;
  const shared = {
    id: game.id,
    name: game.name,
    studio: game.studio,
    rtp: game.rtp,
    volatility: game.volatility,
    hue: game.theme.hue + game.shift,
    accent: game.theme.accent + game.shift / 2,
  };
  if (machine.kind === 'slot') {
    const { pays, lines } = machine.model;
    return { ...shared, kind: 'slot' as const, pays, lines };
  }
  const fields = machine.model.fields.map(({ id, label, times }) => ({ id, label, times }));
  return { ...shared, kind: machine.model.kind, fields };
}
