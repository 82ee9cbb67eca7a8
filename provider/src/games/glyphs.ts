// The figures on reels and pictures, drawn by hand in a square of 100: a body, shade and shine.

interface Glyph {
  readonly body: string;
  readonly shade?: string;
  readonly shine?: string;
}

const star = (points: number, outer: number, inner: number) =>
  Array.from({ length: points * 2 }, (_, i) => {
    const radius = i % 2 === 0 ? outer : inner;
    const angle = (Math.PI * i) / points - Math.PI / 2;
    return `${(50 + radius * Math.cos(angle)).toFixed(1)},${(50 + radius * Math.sin(angle)).toFixed(1)}`;
  }).join(' ');

const around = (count: number, element: string) =>
  Array.from(
    { length: count },
    (_, i) => `<g transform="rotate(${(360 / count) * i} 50 50)">${element}</g>`,
  ).join('');

const path = (d: string) => `<path d="${d}"/>`;
const disc = (x: number, y: number, r: number) => `<circle cx="${x}" cy="${y}" r="${r}"/>`;
const oval = (x: number, y: number, rx: number, ry: number) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}"/>`;
const box = (x: number, y: number, w: number, h: number, r = 3) =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${r}"/>`;

const glyphs = {
  moon: {
    body: path('M64 10a41 41 0 1 0 24 54A34 34 0 0 1 64 10z'),
    shine: disc(35, 45, 5) + disc(45, 68, 7),
  },
  pumpkin: {
    body: oval(50, 60, 40, 30) + path('M47 34c-2-10 2-18 12-22l3 8c-5 3-6 8-6 14z'),
    shade:
      path('M50 30c-9 8-13 50 0 60 13-10 9-52 0-60z') + oval(19, 60, 5, 22) + oval(81, 60, 5, 22),
    shine: oval(34, 46, 5, 9),
  },
  wheat: {
    body:
      box(47, 30, 6, 62) +
      [20, 36, 52, 68]
        .map((y) =>
          path(
            `M50 ${y + 14}c-16-2-22-12-20-22 12 2 20 10 20 22zm0 0c16-2 22-12 20-22-12 2-20 10-20 22z`,
          ),
        )
        .join('') +
      path('M50 28c-7-8-7-16 0-22 7 6 7 14 0 22z'),
    shine: box(48.5, 44, 3, 40),
  },
  acorn: {
    body:
      path('M22 44h56c2 26-10 44-28 50-18-6-30-24-28-50z') +
      path('M16 42c0-18 15-26 31-27l-2-9h10l-2 9c16 1 31 9 31 27z'),
    shade: path('M16 42c0-18 15-26 31-27l-2-9h10l-2 9c16 1 31 9 31 27z'),
    shine: path('M32 52c0 14 5 24 11 30-10-6-16-18-15-30z'),
  },
  anchor: {
    body: path(
      'M50 6a13 13 0 0 1 6 24v8h16v9H56v34c12-2 20-9 23-19l-8 3 10-19 13 17-7-1c-4 18-18 32-37 32S17 80 13 62l-7 1 13-17 10 19-8-3c3 10 11 17 23 19V47H28v-9h16v-8a13 13 0 0 1 6-24z',
    ),
    shade: disc(50, 19, 6),
    shine: box(47, 48, 3, 34),
  },
  shell: {
    body: path(
      'M50 92 38 84h24zM50 86C20 78 8 58 12 38c6-4 12-3 16 1 2-12 9-19 16-19l6 4 6-4c7 0 14 7 16 19 4-4 10-5 16-1 4 20-8 40-38 48z',
    ),
    shade: path('M50 86 46 26h8zM46 84 24 40l7 1zM54 84l22-44-7 1z'),
    shine: oval(40, 40, 3, 9),
  },
  fish: {
    body: path('M8 50c14-24 40-30 62-10l20-16c-3 18-3 34 0 52L70 60c-22 20-48 14-62-10z'),
    shade: path('M40 28c8 14 8 30 0 44 12-8 14-34 0-44zM70 40l-8 10 8 10z'),
    shine: disc(25, 45, 5),
  },
  drop: {
    body: path('M50 6c18 26 30 40 30 56a30 30 0 0 1-60 0c0-16 12-30 30-56z'),
    shade: path('M76 60a27 27 0 0 1-40 22c20 4 34-8 40-22z'),
    shine: path('M34 50c-6 12-4 22 4 28-4-10-6-18-4-28z'),
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
  sun: {
    body: disc(50, 50, 24) + around(12, path('M45 20 50 3l5 17z')),
    shade: path('M72 50a22 22 0 0 1-36 17c18 4 31-5 36-17z'),
    shine: disc(42, 42, 6),
  },
  cactus: {
    body: path(
      'M40 94V64H28a14 14 0 0 1-14-14V36a7 7 0 0 1 14 0v12h12V18a10 10 0 0 1 20 0v38h12V44a7 7 0 0 1 14 0v12a14 14 0 0 1-14 14H60v24z',
    ),
    shade: box(54, 20, 5, 72),
    shine: box(44, 20, 4, 60) + box(18, 36, 3, 12),
  },
  crystal: {
    body: path('M36 92 18 60l14-46 18 30 12-38 20 48-14 38z'),
    shade: path('M50 44 62 6l20 48-14 38H56z'),
    shine: path('M32 20 24 58l10 18zM62 16l-6 34 4 20z'),
  },
  mountain: {
    body: path('M4 86 36 24l14 22 14-30 34 70z'),
    shade: path('M36 24 50 46 46 86H62L40 44zM64 16l34 70H80z'),
    shine: path('M36 24 26 44l8-4 4 6 8-6zM64 16 54 38l8-4 6 8 8-4z'),
  },
  snowflake: {
    body: around(6, box(46.5, 6, 7, 44) + path('M50 30 34 18l4-5 12 9 12-9 4 5z')),
    shine: disc(50, 50, 7),
  },
  feather: {
    body: path('M86 8C52 8 26 34 24 64L10 92l7 3 12-22c34 0 58-30 57-65z'),
    shade: path('M86 8C66 36 46 56 29 73c34 0 58-30 57-65z'),
    shine: path('M70 18C50 26 36 42 32 60c10-16 22-30 38-42z'),
  },
  rocket: {
    body: path(
      'M50 4c20 14 24 40 18 62H32C26 44 30 18 50 4zM30 50 14 70l2 18 16-14zM70 50l16 20-2 18-16-14zM40 70h20l-4 12-6 14-6-14z',
    ),
    shade: path('M50 4c20 14 24 40 18 62H56c6-22 6-44-6-62z'),
    shine: disc(48, 36, 9),
  },
  planet: {
    body:
      disc(50, 50, 28) +
      path(
        'M2 66c-6-14 20-22 22-22l-2 7c-8 4-14 8-12 12 4 6 40 0 62-13 10-6 20-13 18-19-2-3-10-2-16-1l-5-6c8-2 26-4 29 4 5 13-26 28-42 34-24 8-50 12-54 4z',
      ),
    shade: path('M77 54a28 28 0 0 1-46 16c20 4 38-4 46-16z'),
    shine: oval(40, 36, 9, 6),
  },
  comet: {
    body:
      `<polygon points="${star(5, 30, 13)}" transform="translate(-14 16)"/>` +
      path('M48 44 92 6 62 56zM62 62 96 38 66 74zM34 34 62 4 46 38z'),
    shine: disc(32, 60, 6),
  },
  star: {
    body: `<polygon points="${star(5, 46, 20)}"/>`,
    shade: path('M50 50 94 36 62 62 77 87zM50 50V4l11 30z'),
    shine: path('M50 16v34L34 46z'),
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
  flower: {
    body: around(6, oval(50, 25, 14, 21)),
    shade: disc(50, 50, 14),
    shine: disc(50, 50, 8),
  },
  cherry: {
    body:
      disc(30, 70, 20) +
      disc(70, 74, 20) +
      path(
        'M28 54C32 30 48 16 72 8l2 6C54 24 40 34 34 56zM66 56C66 36 66 22 68 10h6c-2 14-2 28-1 46zM72 10c10-6 20-2 24 8-10 4-20 2-24-8z',
      ),
    shade: path('M46 76a20 20 0 0 1-30 10c14 2 24-2 30-10zM86 82a20 20 0 0 1-30 8c14 2 24-2 30-8z'),
    shine: disc(23, 63, 5) + disc(63, 67, 5),
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
      'M32 8a25 25 0 0 1 12 47v6l40 26-2 9-15-3-2-9-9 1-2-10-9 0-10-8V56A25 25 0 0 1 32 8zm0 13a12 12 0 1 0 .1 0z',
    ),
    shine: path('M14 32a18 18 0 0 1 18-18c-8 4-14 10-18 18z'),
  },
  clover: {
    body:
      around(4, path('M50 50C30 40 30 16 42 14c5 0 8 4 8 8 0-4 3-8 8-8 12 2 12 26-8 36z')) +
      path('M50 50c2 20 8 32 20 42l-8 2C52 84 47 70 47 50z'),
    shine: disc(40, 26, 4) + disc(74, 40, 4),
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
  mushroom: {
    body: path(
      'M6 54C8 2 92 2 94 54c-12 8-24 8-32 4 2 14 6 26 6 32-10 6-26 6-36 0 0-6 4-18 6-32-8 4-20 4-32-4z',
    ),
    shade: path('M38 58c-2 14-6 26-6 32 10 6 26 6 36 0 0-6-4-18-6-32-8 4-16 4-24 0z'),
    shine: disc(32, 34, 8) + disc(60, 26, 7) + disc(76, 44, 6),
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
        'M50 6c4 0 7 3 7 8 18 4 24 18 24 36 0 16 6 20 12 26v6H7v-6c6-6 12-10 12-26 0-18 6-32 24-36 0-5 3-8 7-8z',
      ) + disc(50, 88, 9),
    shade: path('M57 14c18 4 24 18 24 36 0 16 6 20 12 26v6H66c6-20 4-54-9-68z'),
    shine: path('M34 28c-6 8-8 20-7 34 4-14 6-24 12-32z'),
  },
  mask: {
    body: path(
      'M6 28c20-10 34-4 44 6 10-10 24-16 44-6 0 30-10 48-28 48-8 0-12-6-16-12-4 6-8 12-16 12C16 76 6 58 6 28z',
    ),
    shade: oval(29, 46, 13, 8) + oval(71, 46, 13, 8),
    shine: path('M14 30c10-3 20-1 26 5-8-2-18-2-26-5zM60 35c6-6 16-8 26-5-8 3-18 3-26 5z'),
  },
  flame: {
    body: path(
      'M52 4c6 20 30 32 30 58a32 32 0 0 1-64 0c0-14 8-22 14-32 2 8 6 12 10 14C42 28 42 16 52 4z',
    ),
    shade: path('M82 62a32 32 0 0 1-32 32c20-10 26-24 22-46 6 4 10 8 10 14z'),
    shine: path('M50 52c4 10 14 14 14 26a14 14 0 0 1-28 0c0-10 10-14 14-26z'),
  },
  lantern: {
    body:
      box(38, 4, 24, 8) +
      box(30, 14, 40, 8) +
      path('M28 22h44c14 16 14 38 0 54H28c-14-16-14-38 0-54z') +
      box(30, 76, 40, 8) +
      box(47, 84, 6, 14),
    shade:
      path('M60 22h12c14 16 14 38 0 54H60c10-18 10-36 0-54z') +
      box(30, 14, 40, 8) +
      box(30, 76, 40, 8),
    shine: path('M34 28c-8 12-8 30 0 42-3-14-3-28 0-42zM50 38l8 11-8 13-8-13z'),
  },
  leaf: {
    body: path('M88 10C40 8 12 32 14 64l-8 22 8 4 8-18c40 8 68-16 66-62z'),
    shade: path('M88 10C70 40 46 60 22 72c40 8 68-16 66-62z'),
    shine: path('M70 22C48 30 32 44 26 60c12-14 26-26 44-38z'),
  },
  seven: {
    body: path('M14 8h74v16C66 46 56 66 54 94H28c2-26 14-48 34-64H32l-6 8H14z'),
    shade: path('M88 24C66 46 56 66 54 94H44c2-30 14-50 34-70z'),
    shine: path('M20 13h58v5H20z'),
  },
  grapes: {
    body:
      [
        [32, 40],
        [50, 38],
        [68, 40],
        [40, 56],
        [60, 56],
        [50, 72],
      ]
        .map(([x = 0, y = 0]) => disc(x, y, 13))
        .join('') +
      path('M48 30C46 18 52 8 60 4l4 5c-6 5-9 11-9 20zM56 20c8-8 20-8 28 0-8 8-22 8-28 0z'),
    shade: disc(72, 44, 6) + disc(64, 60, 6) + disc(54, 76, 6),
    shine: disc(28, 35, 4) + disc(46, 33, 4) + disc(36, 51, 4) + disc(46, 67, 4),
  },
  plum: {
    body:
      path('M50 26c30-10 42 14 36 36-6 22-24 34-36 32C26 98 8 72 12 50c3-20 20-32 38-24z') +
      path('M50 26C50 16 56 8 66 4l2 6c-8 4-12 9-12 16zM60 14c10-6 20-2 26 6-10 4-20 4-26-6z'),
    shade: path('M50 26c6 22 6 46 0 68 24-4 44-30 36-52-4-12-18-20-36-16z'),
    shine: oval(28, 50, 5, 11),
  },
  lemon: {
    body: path(
      'M6 62c2-8 6-12 10-14C24 22 56 10 78 24c6-2 12-2 16 2-2 6-4 10-8 14 4 28-24 52-54 44-10 2-20-2-26-22z',
    ),
    shade: path('M86 40c4 28-24 52-54 44 30-4 48-20 54-44z'),
    shine: oval(38, 42, 12, 6),
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

export type GlyphName = keyof typeof glyphs;

/** A figure in a gradient that the surrounding picture defines under `paint`. */
export function drawGlyph(name: GlyphName, paint: string): string {
  const { body, shade = '', shine = '' }: Glyph = glyphs[name];
  return (
    `<g fill="url(#${paint})" stroke="#000" stroke-opacity=".35" stroke-width="2" stroke-linejoin="round">${body}</g>` +
    `<g fill="#000" fill-opacity=".18">${shade}</g><g fill="#fff" fill-opacity=".5">${shine}</g>`
  );
}
