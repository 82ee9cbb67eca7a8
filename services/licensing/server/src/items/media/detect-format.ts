// Finds out the format of an uploaded file from its bytes. Names and content types of clients are ignored.
import { fail } from '../../errors.ts';
import type { ItemKind } from '../item.ts';
import { mediaTypes } from './media-file.ts';
import type { Draft } from './read-draft.ts';

export type Format = 'jpeg' | 'png' | 'webp' | 'mp3' | 'wav' | 'mp4';

const formats: Record<ItemKind, readonly Format[]> = {
  image: ['jpeg', 'png', 'webp'],
  audio: ['mp3', 'wav', 'mp4'],
  video: ['mp4'],
};

export const refuseType = (kind: ItemKind) =>
  fail('media_type_refused', { data: { kind, accepted: Object.keys(mediaTypes[kind]) } });

export const refuseDamaged = () => fail('media_damaged');

/** Returns the format, or throws if the kind of file has another format or the file is of two formats. */
export async function detectFormat(draft: Draft, kind: ItemKind): Promise<Format> {
  const head = await draft.read(0, 1024);
  const format = readFormat(head);
  if (format === undefined || !formats[kind].includes(format)) throw refuseType(kind);
  if (isPage(head) || (await isArchive(draft))) throw refuseType(kind);
  return format;
}

function readFormat(head: Buffer): Format | undefined {
  const at = (offset: number, text: string) => head.toString('latin1', offset, offset + text.length) === text;
  if (at(0, '\xff\xd8\xff')) return 'jpeg';
  if (at(0, '\x89PNG\r\n\x1a\n')) return 'png';
  if (at(0, 'RIFF') && at(8, 'WEBP')) return 'webp';
  if (at(0, 'RIFF') && at(8, 'WAVE')) return 'wav';
  if (at(4, 'ftyp')) return mp4Brand.test(head.toString('latin1', 8, 12)) ? 'mp4' : undefined;
  const [first = 0, second = 0] = head;
  // The second byte of an MP3 frame: the rest of the sync word, a version of MPEG, and layer III.
  const isFrame = first === 0xff && (second & 0xe6) === 0xe2;
  return at(0, 'ID3') || isFrame ? 'mp3' : undefined;
}

/** The brands of MP4. AVIF and HEIC (pictures) and QuickTime begin with `ftyp` too, but have other brands. */
const mp4Brand = /^(?:isom|iso[2-9]|mp4[12]|avc1|dash|M4A |M4V |MSNV)$/;

/** Programs that open a file by its beginning take a file with one of these texts for a page or document. */
const isPage = (head: Buffer): boolean =>
  /<(?:!doctype|html|head|body|script|iframe|svg|\?php)|%pdf-/i.test(head.toString('latin1'));

const endOfArchive = 22;
const maxComment = 0xffff;

/** Whether the file ends as a ZIP or JAR archive. Such archives are read from their end. */
async function isArchive({ size, read }: Draft): Promise<boolean> {
  const length = Math.min(size, endOfArchive + maxComment);
  const tail = await read(size - length, length);
  for (let at = tail.indexOf('PK\x05\x06'); at !== -1; at = tail.indexOf('PK\x05\x06', at + 1)) {
    if (at + endOfArchive > tail.length) return false;
    if (at + endOfArchive + tail.readUInt16LE(at + 20) === tail.length) return true;
  }
  return false;
}
