// The themes of the games: words, colours, scenery and the figures on the reels.
import type { GlyphName } from './glyphs.ts';

export type Backdrop = 'hills' | 'waves' | 'dunes' | 'peaks' | 'stars' | 'rays' | 'city' | 'petals';

export interface Theme {
  readonly backdrop: Backdrop;
  /** The hue of the sky. `accent` is the hue of figures without a natural colour. */
  readonly hue: number;
  readonly accent: number;
  /** The figures on the reels, the best paid first. */
  readonly glyphs: readonly GlyphName[];
  readonly first: string;
  readonly second: string;
}

export const slotThemes: readonly Theme[] = [
  {
    backdrop: 'hills',
    hue: 262,
    accent: 38,
    glyphs: ['moon', 'pumpkin', 'wheat', 'acorn'],
    first: 'Moon Amber Barley Copper Orchard Meadow Scarecrow Cider Lantern Russet',
    second: 'Harvest Fields Bounty Hollow Gather Feast Acres Barn Lane Basket',
  },
  {
    backdrop: 'waves',
    hue: 205,
    accent: 168,
    glyphs: ['anchor', 'shell', 'fish', 'drop'],
    first: 'Coral Tidal Pearl Kelp Deepwater Lagoon Siren Driftwood Sapphire Reef',
    second: 'Fortune Currents Diver Cove Voyage Shoals Treasure Lullaby Bay Drift',
  },
  {
    backdrop: 'dunes',
    hue: 22,
    accent: 46,
    glyphs: ['pyramid', 'eye', 'sun', 'cactus'],
    first: 'Sandstone Mirage Oasis Caravan Dune Obelisk Scorching Saffron Nomad Golden',
    second: 'Riddle Secrets Crossing Palace Sun Vault Whisper Route Idol Horizon',
  },
  {
    backdrop: 'peaks',
    hue: 212,
    accent: 190,
    glyphs: ['crystal', 'mountain', 'snowflake', 'feather'],
    first: 'Frost Glacier Polar Icicle Aurora Winter Silver Northern Avalanche Snowy',
    second: 'Crown Owl Summit Lights Trail Mirror Hearth Cavern Sleigh Pass',
  },
  {
    backdrop: 'stars',
    hue: 246,
    accent: 305,
    glyphs: ['rocket', 'planet', 'comet', 'star'],
    first: 'Nebula Orbit Cosmic Quasar Lunar Meteor Stellar Satellite Eclipse Zenith',
    second: 'Runner Bloom Cargo Station Drifters Signal Harbor Rush Parade Gate',
  },
  {
    backdrop: 'petals',
    hue: 328,
    accent: 345,
    glyphs: ['heart', 'candy', 'flower', 'cherry'],
    first: 'Sugar Caramel Velvet Marzipan Toffee Sherbet Cupcake Bonbon Peppermint Syrup',
    second: 'Carousel Parlour Dream Swirl Garden Express Kisses Castle Sprinkle Waltz',
  },
  {
    backdrop: 'rays',
    hue: 352,
    accent: 44,
    glyphs: ['crown', 'shield', 'sword', 'key'],
    first: 'Crimson Regal Castle Herald Ironclad Banner Gilded Tourney Baron Dragon',
    second: 'Oath Keep Throne Knights Siege Ransom Heir Gauntlet Legacy Court',
  },
  {
    backdrop: 'hills',
    hue: 132,
    accent: 88,
    glyphs: ['clover', 'horseshoe', 'coin', 'mushroom'],
    first: 'Lucky Emerald Clover Fiddler Mossy Shamrock Rainbow Tinker Hazel Wishing',
    second: 'Pot Jig Ring Meadow Charm Penny Tavern Stone Well Glen',
  },
  {
    backdrop: 'city',
    hue: 278,
    accent: 186,
    glyphs: ['gem', 'note', 'bell', 'mask'],
    first: 'Neon Midnight Boulevard Rooftop Electric Velour Chrome Downtown Metro Afterglow',
    second: 'Nights Jackal Encore Skyline Swing Masquerade Lounge Pulse Avenue Heist',
  },
  {
    backdrop: 'rays',
    hue: 12,
    accent: 28,
    glyphs: ['flame', 'mask', 'drop', 'coin'],
    first: 'Ember Volcano Magma Phoenix Inferno Blazing Cinder Firefly Solar Torch',
    second: 'Temple Dance Relic Feather Forge Ritual Wings Spark Rapids Drums',
  },
  {
    backdrop: 'petals',
    hue: 158,
    accent: 322,
    glyphs: ['lantern', 'flower', 'fish', 'feather'],
    first: 'Jade Lotus Bamboo Crane Silk Blossom Paper Tranquil Koi Plum',
    second: 'Lanterns Pond Bridge Empress Breeze Temple Festival Scroll Teahouse Spring',
  },
  {
    backdrop: 'city',
    hue: 188,
    accent: 52,
    glyphs: ['key', 'gem', 'leaf', 'eye'],
    first: 'Clockwork Brass Copperline Airship Inventor Gearwheel Vapour Alchemist Pendulum Foundry',
    second: 'Garden Voyagers Secrets Orchestra Patent Works Atlas Engine Museum Curio',
  },
];

export const classicThemes: readonly Theme[] = [
  {
    backdrop: 'rays',
    hue: 350,
    accent: 48,
    glyphs: ['seven', 'bell', 'grapes', 'plum', 'lemon', 'cherry'],
    first: 'Royal Double Ruby Hot Classic Lucky Sizzling Vintage Bright Triple Diner Corner',
    second: 'Sevens Cherries Fruits Bells Parade Reels Orchard Jukebox Medley Nudge Pick Spinner',
  },
  {
    backdrop: 'stars',
    hue: 226,
    accent: 40,
    glyphs: ['seven', 'gem', 'crown', 'bell', 'horseshoe', 'coin'],
    first: 'Diamond Gold Platinum Starlit Casino Grand Penny Silverline Jackpot Marquee Prime Dapper',
    second: 'Row Club Strike Stacks Deluxe Bars Shine Arcade Spins Trio Fortune Vault',
  },
  {
    backdrop: 'dunes',
    hue: 26,
    accent: 14,
    glyphs: ['seven', 'horseshoe', 'star', 'key', 'cactus', 'coin'],
    first: 'Saloon Dusty Prairie Railroad Outlaw Canyon Gunmetal Frontier Sheriff Bandit Rodeo Mesa',
    second: 'Gold Trail Draw Rush Express Sunset Bounty Standoff Reels Whistle Claim Stampede',
  },
];

export const tableNames =
  'Harbour Riviera Parlour Velvet Monarch Sapphire Midnight Boulevard Lakeside Grand ' +
  'Silverleaf Crescent Colonnade Terrace Orient Belvedere Marble Rosewood Pavilion Fontaine';

export const instantNames =
  'Copper Quick Prism Lucky Neon Bold Turbo Comet Razor Emerald Pocket Thunder ' +
  'Ivory Cobalt Pixel Crystal Rocket Tango Maple Onyx Radiant Zephyr Coral Domino';

/** All names are invented. */
export const studios =
  'Counterfoil Studio|Paperlight Games|Northbank Reels|Saltmarsh Interactive|Gilt & Grain|' +
  'Ninth Harbour|Kitewing Studio|Tin Lantern|Bramble & Brass';
