// Lists the media of the demo, which are kept in memory. Pictures and sounds are generated when the service
// starts.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CatalogueEntry, catalogues } from './catalogues.ts';
import { drawPicture, type Picture } from './draw-picture.ts';
import { makeSound } from './make-sound.ts';
import { sellers } from './sellers.ts';

export interface DemoFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

/** The film of the demo: a loop of four seconds, recorded from a canvas in a browser. */
const filmPath = fileURLToPath(new URL('../../demo-media/film.mp4', import.meta.url));

const scale = [261.63, 293.66, 329.63, 392, 440, 523.25];

/** Returns the files by name. A name has the form `<seller>/<name>`. */
export function listDemoMedia(): ReadonlyMap<string, DemoFile> {
  const files = new Map<string, DemoFile>();
  const film = toFile('video/mp4', readFileSync(filmPath));
  for (const [index, seller] of sellers.entries()) {
    const { username = '', avatarUrl, coverUrl } = seller.account;
    const put = (name: string | undefined, file: DemoFile) => {
      if (name !== undefined) files.set(`${username}/${name}`, file);
    };
    put(avatarUrl, draw({ seed: username, motif: 'video', width: 256, height: 256 }));
    put(coverUrl, draw({ seed: username, motif: 'audio', width: 1200, height: 360 }));
    for (const entry of catalogues[index] ?? []) putItem(entry, film, put);
  }
  return files;
}

function putItem(
  entry: CatalogueEntry,
  film: DemoFile,
  put: (name: string | undefined, file: DemoFile) => void,
): void {
  const { slug: seed, kind: motif } = entry;
  const names = nameItemMedia(entry);
  put(names.thumbnail, draw({ seed, motif, width: 320, height: 320 }));
  put(names.previewImage, draw({ seed, motif, width: 1180, height: 664 }));
  put(names.previewVideo, film);
  if (names.previewAudio) put(names.previewAudio, toFile('audio/wav', makeSound(compose(seed))));
  for (const name of names.screenshots) put(name, draw({ seed: name, motif, width: 960, height: 600 }));
}

/** Returns eight notes that depend only on `seed`, the slug of the item. */
const compose = (seed: string): number[] =>
  Array.from({ length: 8 }, (_, index) => {
    const letter = seed.charCodeAt(index % seed.length) + index;
    return scale[letter % scale.length] ?? 440;
  });

const draw = (picture: Picture): DemoFile => toFile('image/svg+xml', Buffer.from(drawPicture(picture)));

function toFile(type: string, bytes: Buffer): DemoFile {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { type, bytes, etag: `"${hash}"` };
}

export const demoMediaRoot = '/demo-media';

/** Returns the absolute URL of a file. The answers of the API contain this URL. */
export const demoMediaAddress = (
  publicUrl: string,
  file: { readonly seller: string; readonly name: string },
): string => `${publicUrl.replace(/\/$/, '')}${demoMediaRoot}/${file.seller}/${file.name}`;

/**
 * Returns the names of the media files of an item. The kind of the item decides which media it has
 * (specification, section 3).
 */
export function nameItemMedia({ slug, kind, screenshots = 0 }: CatalogueEntry) {
  const name = (file: string) => `${slug}-${file}`;
  return {
    thumbnail: name('thumbnail.svg'),
    previewImage: kind === 'audio' ? undefined : name('preview.svg'),
    previewVideo: kind === 'video' ? name('preview.mp4') : undefined,
    previewAudio: kind === 'audio' ? name('preview.wav') : undefined,
    screenshots: Array.from({ length: screenshots }, (_, index) => name(`${index + 1}.svg`)),
  };
}
