// The items of the demo's sellers.
import type { Item } from '../items/item.ts';

type TextFields = Pick<Item, 'kind' | 'name' | 'description' | 'category' | 'subCategory' | 'tags'>;

export interface CatalogueEntry extends TextFields {
  /** Part of the names of the item's media: `…/demo-media/<seller>/<slug>-…`. */
  readonly slug: string;
  readonly options?: readonly string[];
  /** The number of screenshots; none by default. */
  readonly screenshots?: number;
  /** The prices in minor units of the seller's currency. */
  readonly prices: readonly [regular: bigint, extended: bigint];
  readonly createdAt: Date;
  /** The state of the item; `published` by default. */
  readonly state?: Item['state'];
  readonly newerVersions?: readonly string[];
  /** Whether the newest version has a file to download. */
  readonly hasFile?: boolean;
}

const paperlane: readonly CatalogueEntry[] = [
  {
    kind: 'image',
    slug: 'journal',
    name: 'Journal: a theme for people who write',
    description: 'One column, real footnotes, and nothing that moves.\nLoads in one request.',
    category: 'Themes',
    subCategory: 'Blog',
    options: ['Dark mode', 'Newsletter form'],
    tags: ['blog', 'typography', 'minimal'],
    screenshots: 3,
    prices: [4_900n, 29_900n],
    createdAt: new Date('2023-04-11T08:30:00Z'),
    newerVersions: ['1.1.0', '2.0.3'],
    hasFile: true,
  },
  {
    kind: 'video',
    slug: 'ink',
    name: 'Ink in water, 12 loops',
    description: 'Shot at 240 frames per second, seamless.',
    category: 'Footage',
    subCategory: 'Backgrounds',
    tags: ['ink', 'loop', '4k'],
    prices: [1_999n, 9_900n],
    createdAt: new Date('2023-09-02T12:00:00Z'),
  },
  {
    kind: 'audio',
    slug: 'typewriter',
    name: 'Typewriter foley',
    description: '',
    category: 'Sound',
    subCategory: 'Foley',
    tags: ['office', 'vintage'],
    prices: [500n, 4_500n],
    createdAt: new Date('2024-02-20T16:45:00Z'),
  },
  {
    kind: 'image',
    slug: 'margins',
    name: 'Margins: a portfolio theme',
    description: 'Not finished yet.',
    category: 'Themes',
    subCategory: 'Portfolio',
    tags: [],
    prices: [3_900n, 19_900n],
    createdAt: new Date('2025-01-07T10:00:00Z'),
    state: 'draft',
  },
];

const nightjar: readonly CatalogueEntry[] = [
  {
    kind: 'audio',
    slug: 'small-hours',
    name: 'Small Hours: ambient loops',
    description: 'Forty loops between 60 and 72 beats per minute.',
    category: 'Music',
    subCategory: 'Ambient',
    tags: ['ambient', 'loops'],
    prices: [2_500n, 15_000n],
    createdAt: new Date('2022-01-15T23:10:00Z'),
    newerVersions: ['1.0.1'],
    hasFile: true,
  },
  {
    kind: 'video',
    slug: 'street-rain',
    name: 'Street rain at night',
    description: 'Twelve clips, vertical and wide.',
    category: 'Footage',
    subCategory: 'City',
    options: ['Vertical', 'Wide'],
    tags: ['rain', 'night'],
    screenshots: 2,
    prices: [3_000n, 18_000n],
    createdAt: new Date('2022-11-30T21:00:00Z'),
  },
  {
    kind: 'image',
    slug: 'covers',
    name: 'Cover art templates',
    description: 'For singles and albums.',
    category: 'Graphics',
    subCategory: 'Templates',
    tags: ['cover', 'music'],
    screenshots: 4,
    prices: [1_200n, 6_000n],
    createdAt: new Date('2024-06-03T18:20:00Z'),
  },
  {
    kind: 'audio',
    slug: 'old-jingles',
    name: 'Jingles 2021',
    description: 'No longer sold.',
    category: 'Music',
    subCategory: 'Jingles',
    tags: ['jingle'],
    prices: [900n, 4_000n],
    createdAt: new Date('2021-12-01T20:00:00Z'),
    state: 'withdrawn',
  },
];

const oneGoodPlugin: readonly CatalogueEntry[] = [
  {
    kind: 'image',
    slug: 'one',
    name: 'One Good Plugin',
    description: 'It does one thing.',
    category: 'Plugins',
    subCategory: 'Forms',
    tags: ['forms'],
    screenshots: 1,
    prices: [3_800n, 19_800n],
    createdAt: new Date('2024-03-01T02:00:00Z'),
  },
];

/** The items of each seller, in the order of `sellers.ts`. The last two sellers sell nothing. */
export const catalogues: readonly (readonly CatalogueEntry[])[] = [
  paperlane,
  nightjar,
  oneGoodPlugin,
  [],
  [],
];
