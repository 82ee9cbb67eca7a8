// Makes the files to serve from an upload: checks its format, removes its metadata, and stores the result.
import { Readable } from 'node:stream';
import { type FileDeps, receiveFile, refuseEmpty, removeFiles } from '../../files/receive-file.ts';
import { storeFile, withDraft } from '../../files/stored-file.ts';
import { detectFormat, type Format, refuseDamaged, refuseType } from './detect-format.ts';
import { inspectMp4 } from './inspect-mp4.ts';
import { inspectMp3, inspectWav } from './inspect-sound.ts';
import { kindOf, type MediaField, type MediaFile, type MediaLimits } from './media-file.ts';
import { type Draft, type Patch, readPatched, withOpenDraft } from './read-draft.ts';
import { type ImageSize, renderImage } from './render-image.ts';
import type { Turn } from './render-queue.ts';

interface Deps extends FileDeps {
  readonly mediaLimits: MediaLimits;
}

interface Wanted extends Turn {
  readonly field: MediaField;
  readonly maxPixels: number;
}

interface Output {
  readonly field: MediaField;
  readonly type: string;
  readonly isGenerated: boolean;
  readonly source: Readable;
}

/** Receives an upload and stores the files to serve. After an error, no file remains. */
export function prepareMedia(
  deps: Deps,
  { field, source, ...turn }: { field: MediaField; source: Readable } & Turn,
): Promise<MediaFile[]> {
  const { filesDir, mediaLimits } = deps;
  const maxBytes = mediaLimits.maxBytes[kindOf(field)];
  const receive = () =>
    withDraft(filesDir, source, {
      maxBytes,
      work: (path, { bytes, sha256 }) => {
        if (bytes === 0n) throw refuseEmpty();
        return withOpenDraft(path, async (draft) =>
          storeOutputs(deps, await makeOutputs(draft, { field, ...turn, ...mediaLimits }), {
            sourceSha256: sha256,
            maxBytes,
          }),
        );
      },
    });
  return receiveFile(receive, { data: { max_bytes: maxBytes } });
}

async function makeOutputs(draft: Draft, wanted: Wanted): Promise<Output[]> {
  const { field } = wanted;
  const format = await detectFormat(draft, kindOf(field));
  if (kindOf(field) === 'image') return makeImages(draft, format, wanted);
  const { type, patches } = await inspectRecording(draft, format, field);
  const source = Readable.from(readPatched(draft.path, patches), { objectMode: false });
  return [{ field, type, isGenerated: false, source }];
}

/**
 * An uploaded thumbnail is made smaller. A preview image keeps its size, and a thumbnail is made from it for
 * an item that has no thumbnail of its own.
 */
async function makeImages(
  { path }: Draft,
  format: Format,
  { field, maxPixels, workspaceId, isAborted }: Wanted,
): Promise<Output[]> {
  const type = `image/${format}`;
  const wanted: ImageSize[] = [field === 'thumbnail' ? 'thumbnail' : 'full'];
  if (field === 'preview_image') wanted.push('thumbnail');
  const rendered = await renderImage({ path, workspaceId, maxPixels, isAborted, wanted });
  return rendered.map((bytes, index) => ({
    field: index === 0 ? field : 'thumbnail',
    type,
    isGenerated: index > 0,
    source: Readable.from([bytes]),
  }));
}

async function inspectRecording(
  draft: Draft,
  format: Format,
  field: MediaField,
): Promise<{ type: string; patches: Patch[] }> {
  if (format === 'mp3') return { type: 'audio/mpeg', patches: await inspectMp3(draft) };
  if (format === 'wav') return { type: 'audio/wav', patches: await inspectWav(draft) };
  const { tracks, patches } = await inspectMp4(draft);
  const kind = tracks.has('vide') ? 'video' : 'audio';
  if (kind !== kindOf(field)) throw refuseType(kindOf(field));
  if (kind === 'audio' && !tracks.has('soun')) throw refuseDamaged();
  return { type: `${kind}/mp4`, patches };
}

async function storeOutputs(
  deps: Deps,
  outputs: readonly Output[],
  { sourceSha256, maxBytes }: { sourceSha256: Buffer; maxBytes: number },
): Promise<MediaFile[]> {
  const stored: MediaFile[] = [];
  try {
    for (const { source, ...output } of outputs) {
      // A rendered image may be larger than its upload.
      const file = await storeFile(deps.filesDir, source, { maxBytes });
      stored.push({ ...output, ...file, sourceSha256 });
    }
    return stored;
  } catch (error) {
    await removeFiles(
      deps,
      stored.map(({ key }) => key),
    );
    throw error;
  }
}
