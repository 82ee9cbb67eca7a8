// Generates the catalogue from the words of the themes. The result is the same at every start.
import { printedReturn } from '../machines/exact-return.ts';
import { type Machine, machines } from '../machines/machine.ts';
import type { Game } from './game.ts';
import { classicThemes, instantNames, slotThemes, studios, type Theme, tableNames } from './themes.ts';

type Draft = Pick<Game, 'name' | 'category' | 'theme' | 'machine'>;

const words = (list: string) => list.split(' ');
const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/**
 * Combines each first word of the theme with one second word. If there are fewer second words than first
 * words, the second words are repeated in order.
 */
const pairWords = (theme: Theme) => {
  const second = words(theme.second);
  return words(theme.first).map((first, i) => `${first} ${at(second, i)}`);
};

const draftThemed = (
  category: 'slots' | 'classic',
  themes: readonly Theme[],
  kinds: readonly Machine[],
): Draft[] =>
  themes.flatMap((theme, t) =>
    pairWords(theme).map((name, i) => ({ name, category, theme, machine: at(kinds, t + i) })),
  );

const wheelTheme = at(slotThemes, 6);
const diceTheme = at(slotThemes, 8);

/**
 * Makes a draft of a game for each name. All these drafts have the same theme and machine. Their names end
 * with `suffix`.
 */
const draftAlike = (suffix: string, category: 'table' | 'instant', names: string, theme: Theme): Draft[] =>
  words(names).map((word) => ({
    name: `${word} ${suffix}`,
    category,
    theme,
    machine: at(machines[category], 0),
  }));

const draftAll = (): Draft[] => [
  ...draftThemed('slots', slotThemes, machines.slots),
  ...draftThemed('classic', classicThemes, machines.classic),
  ...draftAlike('Roulette', 'table', tableNames, { ...wheelTheme, glyphs: ['crown'] }),
  ...draftAlike('Dice', 'instant', instantNames, { ...diceTheme, glyphs: ['die'] }),
];

function findStatus(index: number): Game['status'] {
  if (index % 37 === 17) return 'maintenance';
  return index % 61 === 23 ? 'disabled' : 'active';
}

/**
 * The return to player of each machine. Counting all outcomes is slow, so the return is calculated once per
 * machine and not for each game.
 */
const returns = new Map(
  Object.values(machines)
    .flat()
    .map((machine: Machine) => [machine, printedReturn(machine)]),
);

function finish(draft: Draft, index: number): Game {
  const isSmallScreenOnly = index % 41 === 11;
  const isLargeScreenOnly = index % 29 === 13;
  return {
    ...draft,
    id: draft.name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    studio: at(studios.split('|'), index * 7),
    shift: ((index * 47) % 90) - 45,
    rtp: returns.get(draft.machine) as number,
    volatility: draft.machine.model.volatility,
    hasDemo: index % 11 !== 3,
    platforms: isSmallScreenOnly ? ['mobile'] : isLargeScreenOnly ? ['desktop'] : ['desktop', 'mobile'],
    status: findStatus(index),
    isPublic: index % 10 < 7,
  };
}

export const games: ReadonlyMap<string, Game> = new Map(
  draftAll().map((draft, index) => {
    const game = finish(draft, index);
    return [game.id, game];
  }),
);
