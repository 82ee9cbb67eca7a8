// Checks the boxes of an MP4 file (ISO 14496-12), and finds the bytes that contain metadata.
import { refuseDamaged } from './detect-format.ts';
import { type Draft, type Patch, writeText } from './read-draft.ts';

interface Box {
  readonly type: string;
  readonly at: number;
  /** Where the content begins. */
  readonly from: number;
  readonly end: number;
}

interface Inspection {
  readonly patches: Patch[];
  /** The kinds of tracks, such as `vide` and `soun`. */
  readonly tracks: Set<string>;
  boxes: number;
}

/** No film has more boxes; each one costs time. */
const maxBoxes = 20_000;

const topLevel = new Set(
  'ftyp styp moov moof mdat mfra sidx pdin prft emsg free skip wide udta meta uuid'.split(' '),
);
const containers = new Set(['moov', 'trak', 'mdia', 'moof', 'traf', 'mvex']);
/** These boxes contain the place and the device of a recording, comments, covers, or unused bytes. */
const removed = new Set(['udta', 'meta', 'uuid', 'emsg', 'free', 'skip', 'wide']);
/** These boxes begin with the times at which the film was created and changed. */
const dated = new Set(['mvhd', 'tkhd', 'mdhd']);
/** Other tracks contain measurements of the camera, such as its position. */
const knownTracks = new Set(['vide', 'soun', 'text', 'sbtl', 'subt', 'clcp', 'tmcd', 'hint']);

/** Returns the patches that remove the metadata, and the kinds of tracks. */
export async function inspectMp4(draft: Draft): Promise<Pick<Inspection, 'patches' | 'tracks'>> {
  const found: Inspection = { patches: [], tracks: new Set(), boxes: 0 };
  const types = await inspectBoxes(draft, { from: 0, end: draft.size, type: '' }, found);
  const isWhole = types[0] === 'ftyp' && types.includes('moov') && types.includes('mdat');
  if (!isWhole || types.some((type) => !topLevel.has(type))) throw refuseDamaged();
  if ([...found.tracks].some((track) => !knownTracks.has(track))) throw refuseDamaged();
  return found;
}

/** Inspects the boxes inside a box or file, and returns their types. */
async function inspectBoxes(
  draft: Draft,
  parent: Pick<Box, 'from' | 'end' | 'type'>,
  found: Inspection,
): Promise<string[]> {
  const types: string[] = [];
  let { from: at } = parent;
  while (at < parent.end) {
    if (++found.boxes > maxBoxes) throw refuseDamaged();
    const box = await readBox(draft, at, parent);
    types.push(box.type);
    await inspectBox(draft, box, found);
    at = box.end;
  }
  return types;
}

async function readBox(draft: Draft, at: number, parent: Pick<Box, 'end' | 'type'>): Promise<Box> {
  const head = await draft.read(at, 16);
  if (head.length < 8) throw refuseDamaged();
  const short = head.readUInt32BE(0);
  if (short === 1 && head.length < 16) throw refuseDamaged();
  // 1 means that the size follows in 64 bits, and 0 that the box ends with the file.
  const long = short === 1 ? Number(head.readBigUInt64BE(8)) : short;
  const end = short === 0 && parent.type === '' ? parent.end : at + long;
  const from = at + (short === 1 ? 16 : 8);
  if (end < from || end > parent.end) throw refuseDamaged();
  return { type: head.toString('latin1', 4, 8), at, from, end };
}

async function inspectBox(draft: Draft, box: Box, found: Inspection): Promise<void> {
  const { type, at, from, end } = box;
  if (removed.has(type)) {
    found.patches.push(writeText(at + 4, 'free'), { at: from, length: end - from });
  } else if (containers.has(type)) {
    await inspectBoxes(draft, box, found);
  } else if (dated.has(type)) {
    const [version] = await draft.read(from, 1);
    const length = version === 1 ? 16 : 8;
    if (from + 4 + length > end) throw refuseDamaged();
    found.patches.push({ at: from + 4, length });
  } else if (type === 'hdlr') {
    const track = await draft.read(from + 8, 4);
    found.tracks.add(track.toString('latin1'));
  }
}
