// Figures of objects, such as a crown, a coin or a bell.
import { box, disc, type Glyph, oval, path, star } from './svg.ts';

export const thingGlyphs = {
  anchor: {
    body: path(
      'M50 6a13 13 0 0 1 6 24v8h16v9H56v34c12-2 20-9 23-19l-8 3 10-19 13 17-7-1c-4 18-18 ' +
        '32-37 32S17 80 13 62l-7 1 13-17 10 19-8-3c3 10 11 17 23 19V47H28v-9h16v-8a13 13 0 0 ' +
        '1 6-24z',
    ),
    shade: disc(50, 19, 6),
    shine: box(47, 48, 3, 34),
  },
  pyramid: {
    body: path('M50 10 94 86H6z'),
    shade: path('M50 10 94 86H60z'),
    shine: path('M24 66h30l-2-8H29zM36 45h12l-1-8h-7z'),
  },
  eye: {
    body: path('M4 48c20-28 72-28 92 0-10 14-26 22-38 23l6 22H52l-6-22C30 70 14 62 4 48z'),
    shade: disc(50, 47, 19),
    shine: disc(50, 47, 8) + disc(57, 40, 4),
  },
  rocket: {
    body: path(
      'M50 4c20 14 24 40 18 62H32C26 44 30 18 50 4zM30 50 14 70l2 18 16-14zM70 50l16 20-2 ' +
        '18-16-14zM40 70h20l-4 12-6 14-6-14z',
    ),
    shade: path('M50 4c20 14 24 40 18 62H56c6-22 6-44-6-62z'),
    shine: disc(48, 36, 9),
  },
  heart: {
    body: path('M50 90C14 64 4 46 8 28c5-20 32-22 42-2 10-20 37-18 42 2 4 18-6 36-42 62z'),
    shade: path('M88 24c10 22-8 44-38 66 34-26 44-42 42-58z'),
    shine: oval(28, 34, 9, 7),
  },
  candy: {
    body: disc(50, 50, 26) + path('M28 44 4 26l6 24-6 24 24-18zM72 44l24-18-6 24 6 24-24-18z'),
    shade: path('M50 24c14 10 14 42 0 52 20-4 26-20 26-26s-6-22-26-26z'),
    shine: path('M36 36c8-8 18-6 24 0-8-2-16 0-20 10-4-2-6-6-4-10z'),
  },
  crown: {
    body:
      path('M8 28 28 48 50 14l22 34 20-20-8 50H16z') +
      box(16, 80, 68, 10) +
      disc(8, 25, 6) +
      disc(50, 11, 6) +
      disc(92, 25, 6),
    shade: box(16, 80, 68, 10),
    shine: path('M50 56l8 9-8 9-8-9z') + disc(28, 66, 4) + disc(72, 66, 4),
  },
  shield: {
    body: path('M50 6c14 8 28 10 38 10 0 36-8 62-38 78C20 78 12 52 12 16c10 0 24-2 38-10z'),
    shade: path('M50 6c14 8 28 10 38 10 0 36-8 62-38 78z'),
    shine: path('M46 26h8v18h16v8H54v24h-8V52H30v-8h16z'),
  },
  sword: {
    body: path('M50 2 60 16v46h16v9H56v14l4 8-10 5-10-5 4-8V71H24v-9h16V16z'),
    shade: path('M50 2 60 16v46H50z'),
    shine: box(45, 18, 3, 42),
  },
  key: {
    body: path(
      'M32 8a25 25 0 0 1 12 47v6l40 26-2 9-15-3-2-9-9 1-2-10-9 0-10-8V56A25 25 0 0 1 32 ' +
        '8zm0 13a12 12 0 1 0 .1 0z',
    ),
    shine: path('M14 32a18 18 0 0 1 18-18c-8 4-14 10-18 18z'),
  },
  horseshoe: {
    body: path('M22 92H8L14 40C16 0 84 0 86 40l6 52H78l-10-4-4-44c-2-18-26-18-28 0l-4 44z'),
    shade: path('M86 40l6 52H78l-10-4-4-44c-1-9-8-14-14-14 4-6 30-4 36 10z'),
    shine: disc(24, 44, 4) + disc(76, 44, 4) + disc(21, 66, 4) + disc(79, 66, 4) + disc(50, 19, 4),
  },
  coin: {
    body: disc(50, 50, 42),
    shade: path('M92 50a42 42 0 0 1-84 6 42 34 0 0 0 84-6z'),
    shine: `<polygon points="${star(5, 24, 10)}"/>`,
  },
  gem: {
    body: path('M26 14h48l22 26-46 52L4 40z'),
    shade: path('M66 40h30L50 92zM74 14l22 26H66z'),
    shine: path('M26 14h20L34 40H4zM34 40h32L50 70z'),
  },
  note: {
    body: path('M36 12 86 4v62a15 13 0 1 1-10-12V28L46 33v44a15 13 0 1 1-10-12z'),
    shade: path('M36 12 86 4v12L36 24z'),
    shine: oval(28, 74, 5, 4) + oval(68, 63, 5, 4),
  },
  bell: {
    body:
      path(
        'M50 6c4 0 7 3 7 8 18 4 24 18 24 36 0 16 6 20 12 26v6H7v-6c6-6 12-10 12-26 0-18 ' +
          '6-32 24-36 0-5 3-8 7-8z',
      ) + disc(50, 88, 9),
    shade: path('M57 14c18 4 24 18 24 36 0 16 6 20 12 26v6H66c6-20 4-54-9-68z'),
    shine: path('M34 28c-6 8-8 20-7 34 4-14 6-24 12-32z'),
  },
  mask: {
    body: path(
      'M6 28c20-10 34-4 44 6 10-10 24-16 44-6 0 30-10 48-28 48-8 0-12-6-16-12-4 6-8 12-16 ' +
        '12C16 76 6 58 6 28z',
    ),
    shade: oval(29, 46, 13, 8) + oval(71, 46, 13, 8),
    shine: path('M14 30c10-3 20-1 26 5-8-2-18-2-26-5zM60 35c6-6 16-8 26-5-8 3-18 3-26 5z'),
  },
  lantern: {
    body:
      box(38, 4, 24, 8) +
      box(30, 14, 40, 8) +
      path('M28 22h44c14 16 14 38 0 54H28c-14-16-14-38 0-54z') +
      box(30, 76, 40, 8) +
      box(47, 84, 6, 14),
    shade: path('M60 22h12c14 16 14 38 0 54H60c10-18 10-36 0-54z') + box(30, 14, 40, 8) + box(30, 76, 40, 8),
    shine: path('M34 28c-8 12-8 30 0 42-3-14-3-28 0-42zM50 38l8 11-8 13-8-13z'),
  },
  seven: {
    body: path('M14 8h74v16C66 46 56 66 54 94H28c2-26 14-48 34-64H32l-6 8H14z'),
    shade: path('M88 24C66 46 56 66 54 94H44c2-30 14-50 34-70z'),
    shine: path('M20 13h58v5H20z'),
  },
  die: {
    body: path('M50 4 92 26v48L50 96 8 74V26z'),
    shade: path('M50 48 92 26v48L50 96z'),
    shine:
      oval(50, 26, 7, 4) +
      disc(22, 46, 4.5) +
      disc(36, 74, 4.5) +
      disc(64, 62, 4.5) +
      disc(78, 54, 4.5) +
      disc(71, 72, 4.5),
  },
} satisfies Record<string, Glyph>;
