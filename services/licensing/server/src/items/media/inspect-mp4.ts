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
  /** The kind of each track, such as `vide` or `soun`. */
  readonly handlers: string[];
  /** The number of `trak` boxes. */
  tracks: number;
  boxes: number;
}

/** No film has more boxes; each one costs time. */
const maxBoxes = 20_000;

const toSet = (types: string): Set<string> => new Set(types.split(' '));

const topLevel = toSet('ftyp styp moov moof mdat mfra sidx pdin prft emsg free skip wide udta meta uuid');
const containers = toSet('moov trak mdia minf stbl edts dinf mvex moof traf mfra');
const keptAtTop = toSet('ftyp styp mdat sidx');
/**
 * What a player needs. Every other box may contain the place and the device of a recording, comments or
 * covers: cameras write boxes of their own.
 */
const kept = toSet(
  'mvhd iods tkhd tref elst mdhd hdlr elng vmhd smhd nmhd dref stsd stts ctts cslg stsc stsz stz2 stco ' +
    'co64 stss stsh sdtp sbgp sgpd subs saiz saio mehd trex mfhd tfhd tfdt trun tfra mfro',
);
/** These boxes begin with the times at which the film was created and changed. */
const dated = toSet('mvhd tkhd mdhd');
/**
 * Pictures, sound and time codes. Other tracks may contain positions: measurements of the camera, but also
 * subtitles, into which some cameras write them.
 */
const knownTracks = toSet('vide soun tmcd');

/** Returns the patches that remove the metadata, and the kinds of tracks. */
export async function inspectMp4(draft: Draft): Promise<{ patches: Patch[]; tracks: Set<string> }> {
  const found: Inspection = { patches: [], handlers: [], tracks: 0, boxes: 0 };
  const types = await inspectBoxes(draft, { from: 0, end: draft.size, type: '' }, found);
  const isWhole = types[0] === 'ftyp' && types.includes('moov') && types.includes('mdat');
  if (!isWhole || types.some((type) => !topLevel.has(type))) throw refuseDamaged();
  const { patches, handlers } = found;
  if (handlers.length !== found.tracks || handlers.some((handler) => !knownTracks.has(handler)))
    throw refuseDamaged();
  return { patches, tracks: new Set(handlers) };
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
    await inspectBox(draft, box, { parent: parent.type, found });
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

async function inspectBox(
  draft: Draft,
  box: Box,
  { parent, found }: { parent: string; found: Inspection },
): Promise<void> {
  const { type, at, from, end } = box;
  const blank = (first: number) => found.patches.push({ at: first, length: end - first });
  if (containers.has(type)) {
    if (type === 'trak') found.tracks++;
    await inspectBoxes(draft, box, found);
  } else if (parent === 'dref') {
    // After the version and the flags, the path of another file may follow.
    blank(Math.min(from + 4, end));
  } else if (!(parent === '' ? keptAtTop : kept).has(type) || (type === 'hdlr' && parent !== 'mdia')) {
    found.patches.push(writeText(at + 4, 'free'));
    blank(from);
  } else if (dated.has(type)) {
    const [version] = await draft.read(from, 1);
    const length = version === 1 ? 16 : 8;
    if (from + 4 + length > end) throw refuseDamaged();
    found.patches.push({ at: from + 4, length });
  } else if (type === 'hdlr') {
    if (from + 12 > end) throw refuseDamaged();
    found.handlers.push((await draft.read(from + 8, 4)).toString('latin1'));
    // The rest is the name of the track.
    blank(from + 12);
  } else if (type === 'dref') {
    if (from + 8 > end) throw refuseDamaged();
    await inspectBoxes(draft, { ...box, from: from + 8 }, found);
  } else if (type === 'stsd') {
    await inspectSampleEntries(draft, box, found);
  }
}

/** The sizes of the fields at the beginning of a picture's and a time code's description. */
const pictureFields = 86;
const timeCodeFields = 34;

/** Returns an empty box of this size, or zeros if a box does not fit. */
function makeFree(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  if (size < 8) return bytes;
  bytes.writeUInt32BE(size, 0);
  bytes.write('free', 4, 'latin1');
  return bytes;
}

/** Removes the texts in the descriptions of the samples of a track. */
async function inspectSampleEntries(draft: Draft, box: Box, found: Inspection): Promise<void> {
  // Every known program writes the handler of a track before the descriptions of its samples.
  const handler = found.handlers.length === found.tracks ? found.handlers.at(-1) : undefined;
  if (handler === undefined || box.from + 8 > box.end) throw refuseDamaged();
  for (let at = box.from + 8; at < box.end; ) {
    if (++found.boxes > maxBoxes) throw refuseDamaged();
    const entry = await readBox(draft, at, box);
    const rest = entry.end - at - timeCodeFields;
    if (handler === 'vide' && entry.end - at >= pictureFields)
      // The name of the program or device that compressed the pictures.
      found.patches.push({ at: at + pictureFields - 36, length: 32 });
    if (handler === 'tmcd') {
      if (entry.type !== 'tmcd' || rest < 0) throw refuseDamaged();
      // The name of the tape may follow.
      if (rest > 0) found.patches.push({ at: at + timeCodeFields, length: rest, bytes: makeFree(rest) });
    }
    at = entry.end;
  }
}
