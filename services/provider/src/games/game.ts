// A game of the stand-in provider, and its entries in the two catalogues.
import type { Machine } from '../machines/machine.ts';
import type { Theme } from './themes.ts';

export interface Game {
  readonly id: string;
  readonly name: string;
  readonly studio: string;
  readonly category: 'slots' | 'classic' | 'table' | 'instant';
  readonly theme: Theme;
  /** Degrees that are added to the hues of the theme, so that games of one theme differ in colour. */
  readonly shift: number;
  readonly machine: Machine;
  readonly rtp: number;
  readonly volatility: 'low' | 'medium' | 'high';
  readonly hasDemo: boolean;
  readonly platforms: readonly ('desktop' | 'mobile')[];
  readonly status: 'active' | 'maintenance' | 'disabled';
  readonly isPublic: boolean;
}

/** The entry of a game in the private catalogue, with all details. */
export function presentGame(game: Game, siteUrl: string) {
  const picture = (format: string) => `${siteUrl}/pictures/${game.id}/${format}.svg`;
  return {
    id: game.id,
    name: game.name,
    provider: game.studio,
    category: game.category,
    image: picture('square'),
    images: { square: picture('square'), wide: picture('wide') },
    rtp: game.rtp,
    volatility: game.volatility,
    has_demo: game.hasDemo,
    platforms: [...game.platforms],
    status: game.status,
  };
}

/** The entry of a game in the public catalogue, which has fewer fields. */
export function presentPublicGame(game: Game, siteUrl: string) {
  const { id, name, provider, category, image, status } = presentGame(game, siteUrl);
  return { id, name, provider, category, image, status };
}
