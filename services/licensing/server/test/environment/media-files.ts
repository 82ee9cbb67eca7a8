// Images, sounds and films for tests of uploads. Each contains `place` in its metadata.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { makeSound } from '../../src/demo/make-sound.ts';

/** A text that must not be in a served file. */
export const place = 'SECRET-PLACE';

interface Picture {
  readonly format?: 'jpeg' | 'png' | 'webp' | 'gif';
  readonly width?: number;
  readonly height?: number;
  readonly color?: string;
  /** The EXIF orientation. With 6, the image is shown turned by 90 degrees. */
  readonly orientation?: number;
}

export const makePicture = (wanted: Picture = {}): Promise<Buffer> => {
  const { format = 'jpeg', width = 40, height = 20, color = '#c00', orientation = 1 } = wanted;
  return sharp({ create: { width, height, channels: 3, background: color } })
    .toFormat(format)
    .withExif({ IFD0: { Copyright: place }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 8/1 0/1' } })
    .withMetadata({ orientation })
    .toBuffer();
};

/** A picture that cannot be compressed. As a PNG it has about 3 bytes per pixel. */
export const makeNoise = (width: number, height: number, format: 'jpeg' | 'png' = 'png'): Promise<Buffer> =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .toFormat(format)
    .toBuffer();

/**
 * A PNG in which every row is the row above plus 1. With the filters of PNG it has a few kilobytes, and
 * without them 3 bytes per pixel.
 */
export function makeSlope(side: number): Promise<Buffer> {
  const pixels = randomBytes(side * side * 3);
  for (let i = side * 3; i < pixels.length; i++) pixels[i] = (pixels[i - side * 3] ?? 0) + 1;
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png({ adaptiveFiltering: true })
    .toBuffer();
}

/** A JPEG of a low quality. It becomes larger when it is encoded in a better quality. */
export const makeCoarse = (side: number): Promise<Buffer> =>
  sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .jpeg({ quality: 30 })
    .toBuffer();

/** Call this function before the first upload: afterwards this process can read only images in files. */
export const makeAnimation = async (): Promise<Buffer> => {
  const frames = [await makePicture({ format: 'png' }), await makePicture({ format: 'png', color: '#0c0' })];
  return sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer();
};

/** A PNG whose header promises this number of pixels, without the pixels. */
export function makePngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(33);
  header.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 0, 'latin1');
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  header.set([8, 2, 0, 0, 0], 24);
  header.writeUInt32BE(crc32(header.subarray(12, 29)), 29);
  return Buffer.concat([header, Buffer.from('\0\0\0\0IDAT\x35\xaf\x06\x1e', 'latin1')]);
}

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** MP3 frames of silence, between an ID3 tag at the beginning and a tag at the end. */
export function makeMp3(frames = 8): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x00]);
  const tag = Buffer.from(`ID3\x04\0\0\0\0\0\x40${place}`.padEnd(74, '\0'), 'latin1');
  const end = Buffer.from(`TAG${place}`.padEnd(128, ' '), 'latin1');
  return Buffer.concat([tag, ...Array.from({ length: frames }, () => frame), end]);
}

/** A WAV file with a chunk that contains the place. */
export function makeWav(): Buffer {
  const list = Buffer.alloc(8 + 4 + place.length);
  list.write('LIST', 0, 'latin1');
  list.writeUInt32LE(list.length - 8, 4);
  list.write(`INFO${place}`, 8, 'latin1');
  const file = Buffer.concat([makeSound([440]), list]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}

function makeBox(type: string, ...contents: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(contents.map((each) => Buffer.from(each as string, 'latin1')));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** The demo's film, with the place of the recording in two boxes. */
export function makeFilm(): Buffer {
  const film = readFileSync(new URL('../../demo-media/film.mp4', import.meta.url));
  const at = film.indexOf('moov', 0, 'latin1') - 4;
  const end = at + film.readUInt32BE(at);
  const moov = makeBox('moov', film.subarray(at + 8, end), makeBox('udta', makeBox('\xa9xyz', place)));
  return Buffer.concat([film.subarray(0, at), moov, film.subarray(end), makeBox('uuid', place)]);
}

/** A track in which every box contains only zeros, and the place wherever a text may be. */
function makeTrack(handler: string): Buffer {
  const name = `${place}\0`;
  const entries: Record<string, Buffer> = {
    vide: makeBox('mp4v', '\0'.repeat(42), name.padEnd(32, '\0'), '\0'.repeat(4)),
    tmcd: makeBox('tmcd', '\0'.repeat(26), makeBox('name', name)),
  };
  const entry = entries[handler] ?? makeBox('mp4a', '\0'.repeat(28));
  const table = makeBox('stbl', makeBox('stsd', '\0\0\0\0\0\0\0\x01', entry), makeBox('gps ', place));
  const links = makeBox('dinf', makeBox('dref', '\0\0\0\0\0\0\0\x01', makeBox('alis', '\0\0\0\x01', name)));
  const media = makeBox(
    'mdia',
    makeBox('hdlr', '\0'.repeat(8), handler, '\0'.repeat(12), name),
    makeBox('minf', links, table, makeBox('udta', place)),
  );
  return makeBox('trak', media, makeBox('loci', place));
}

/** A file of MP4 boxes with these tracks, without sound or film. */
export const makeMp4 = (brand: string, handlers: readonly string[]): Buffer =>
  Buffer.concat([
    makeBox('ftyp', brand, '\0\0\0\0'),
    makeBox(
      'moov',
      ...handlers.map(makeTrack),
      makeBox('udta', makeBox('meta', place)),
      ...['gps ', 'loci', '\xa9xyz', 'XMP_', 'mdat'].map((type) => makeBox(type, place)),
    ),
    makeBox('mdat', 'samples'),
    makeBox('mfra', makeBox('xml ', place)),
    makeBox('prft', place),
  ]);

/** A ZIP archive without files. */
export const emptyArchive = Buffer.from(`PK\x05\x06${'\0'.repeat(18)}`, 'latin1');
