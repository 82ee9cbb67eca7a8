// Where the demo's pictures, sounds and films are: each seller's under one path of the service itself.
import type { CatalogueEntry } from './catalogues.ts';

export const demoMediaRoot = '/demo-media';

/** Builds the addresses that an answer names: whole, as every seller's are. */
export const demoMediaAddress = (
  publicUrl: string,
  file: { readonly seller: string; readonly name: string },
): string => `${publicUrl.replace(/\/$/, '')}${demoMediaRoot}/${file.seller}/${file.name}`;

/** By the kind of item, as the specification has it (section 3). */
export function nameItemMedia({ slug, kind, screenshots }: CatalogueEntry) {
  const name = (file: string) => `${slug}-${file}`;
  return {
    thumbnail: name('thumbnail.svg'),
    previewImage: kind === 'audio' ? undefined : name('preview.svg'),
    previewVideo: kind === 'video' ? name('preview.mp4') : undefined,
    previewAudio: kind === 'audio' ? name('preview.wav') : undefined,
    screenshots: Array.from({ length: screenshots }, (_, place) => name(`${place + 1}.svg`)),
  };
}
