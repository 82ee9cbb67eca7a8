// Checks MP3 and WAV files, and finds the bytes that contain metadata.
import { refuseDamaged } from './detect-format.ts';
import { type Draft, type Patch, writeText } from './read-draft.ts';

const bitRates = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const sampleRates = [44_100, 48_000, 32_000];

/** Returns the size of the MP3 frame that begins here, or undefined if none does. */
function readFrameSize(head: Buffer): number | undefined {
  const [sync = 0, kind = 0, rates = 0] = head;
  if (head.length < 4 || sync !== 0xff || (kind & 0xe6) !== 0xe2) return undefined;
  const version = (kind >> 3) & 3;
  const bitRate = (version === 3 ? bitRates.mpeg1 : bitRates.mpeg2)[rates >> 4];
  const sampleRate = sampleRates[(rates >> 2) & 3];
  if (version === 1 || !bitRate || !sampleRate) return undefined;
  // MPEG 2 halves the sample rate of MPEG 1, and MPEG 2.5 halves it again.
  const divided = sampleRate / { 3: 1, 2: 2, 0: 4 }[version as 0 | 2 | 3];
  const samples = version === 3 ? 144 : 72;
  return Math.floor((samples * bitRate * 1000) / divided) + ((rates >> 1) & 1);
}

/** A file with fewer frames is not a sound, but something else that happens to begin like a frame. */
const minFrames = 4;

/** Returns the patches that remove the tags at the beginning and the end of an MP3 file. */
export async function inspectMp3(draft: Draft): Promise<Patch[]> {
  const { size, read } = draft;
  const { patches, end } = await skipFirstTag(draft);
  let at = end;
  let frames = 0;
  while (at < size) {
    const frame = readFrameSize(await read(at, 4));
    if (frame === undefined) break;
    if (at + frame > size) throw refuseDamaged();
    at += frame;
    frames++;
  }
  if (frames < minFrames) throw refuseDamaged();
  if (at === size) return patches;
  if (!lastTag.test((await read(at, 16)).toString('latin1'))) throw refuseDamaged();
  // The sound after a tag would be lost, for example in two files that were joined.
  const after = await skipLastTags(draft, at);
  if (readFrameSize(await read(after, 4)) !== undefined) throw refuseDamaged();
  return [...patches, { at, length: size - at }];
}

/** The tags that may follow the last frame, or zeros. */
const lastTag = /^(?:TAG|APETAGEX|LYRICSBEGIN|ID3|3DI|\0+$)/;

/** Returns where the tags end that follow the last frame, as far as their sizes are known. */
async function skipLastTags({ size, read }: Draft, from: number): Promise<number> {
  let at = from;
  while (at < size) {
    const head = await read(at, 16);
    const type = head.toString('latin1');
    if (type.startsWith('TAG')) at += 128;
    else if (type.startsWith('ID3')) at += readTagSize(head);
    // The size of an APE tag includes everything but the 32 bytes of its header.
    else if (type.startsWith('APETAGEX') && head.length === 16) at += 32 + head.readUInt32LE(12);
    else return at;
  }
  return at;
}

/** Reads the size of a whole ID3 tag. */
function readTagSize(head: Buffer): number {
  const digits = [...head.subarray(6, 10)];
  if (head.length < 10 || digits.some((digit) => digit > 0x7f)) throw refuseDamaged();
  const hasFooter = ((head[5] ?? 0) & 0x10) !== 0;
  return 10 + digits.reduce((sum, digit) => sum * 128 + digit, 0) + (hasFooter ? 10 : 0);
}

/** An ID3 tag at the beginning keeps its size, but its content becomes padding. */
async function skipFirstTag({ size, read }: Draft): Promise<{ patches: Patch[]; end: number }> {
  const head = await read(0, 10);
  if (head.toString('latin1', 0, 3) !== 'ID3') return { patches: [], end: 0 };
  const end = readTagSize(head);
  if (end > size) throw refuseDamaged();
  return {
    patches: [
      { at: 5, length: 1 },
      { at: 10, length: end - 10 },
    ],
    end,
  };
}

/** Returns the patches that remove every chunk of a WAV file except the sound and its format. */
export async function inspectWav({ size, read }: Draft): Promise<Patch[]> {
  const patches: Patch[] = [];
  const end = 8 + (await read(4, 4)).readUInt32LE(0);
  if (end > size) throw refuseDamaged();
  const types = new Set<string>();
  let at = 12;
  for (let chunks = 0; at + 8 <= end; chunks++) {
    const head = await read(at, 8);
    const type = head.toString('latin1', 0, 4);
    const length = head.readUInt32LE(4);
    const next = at + 8 + length;
    if (next > end || chunks > 1000) throw refuseDamaged();
    types.add(type);
    if (!['fmt ', 'fact', 'data'].includes(type)) patches.push(writeText(at, 'JUNK'), { at: at + 8, length });
    // A chunk with an odd number of bytes is followed by one byte that belongs to no chunk.
    at = next + (length % 2);
  }
  if (!types.has('fmt ') || !types.has('data')) throw refuseDamaged();
  return at < size ? [...patches, { at, length: size - at }] : patches;
}
