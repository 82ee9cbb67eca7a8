// Uploaded media of items: the fields that contain them, their types, limits and addresses.
import { join } from 'node:path';
import { fail } from '../../errors.ts';
import type { StoredFile } from '../../files/stored-file.ts';
import type { Item, ItemKind } from '../item.ts';

export const mediaFields = [
  'thumbnail',
  'preview_image',
  'preview_video',
  'preview_audio',
  'screenshots',
] as const;
export type MediaField = (typeof mediaFields)[number];

/** The formats that each kind of file may have, with the ending of its address. */
export const mediaTypes = {
  image: { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' },
  audio: { 'audio/mpeg': 'mp3', 'audio/wav': 'wav', 'audio/mp4': 'm4a' },
  video: { 'video/mp4': 'mp4' },
} as const satisfies Record<ItemKind, Record<string, string>>;

const endings: Record<string, string> = { ...mediaTypes.image, ...mediaTypes.audio, ...mediaTypes.video };

export interface MediaFile extends Pick<StoredFile, 'key' | 'bytes' | 'sha256'> {
  readonly field: MediaField;
  readonly type: string;
  /** Whether the service made the file from another upload, as it does for a missing thumbnail. */
  readonly isGenerated: boolean;
  readonly sourceSha256: Buffer;
}

export interface MediaLimits {
  /** The maximum size of one upload. */
  readonly maxBytes: Readonly<Record<ItemKind, number>>;
  readonly maxPixels: number;
  readonly maxItemBytes: number;
  readonly maxWorkspaceBytes: number;
}

export const maxScreenshots = 50;

/** Returns the kind of file that a field accepts. */
export function kindOf(field: MediaField): ItemKind {
  if (field === 'preview_video') return 'video';
  return field === 'preview_audio' ? 'audio' : 'image';
}

/** Whether items of this kind have this field (specification, section 3). */
const hasField = (kind: ItemKind, field: MediaField): boolean =>
  field === 'preview_image' ? kind !== 'audio' : kindOf(field) === 'image' || kindOf(field) === kind;

export function refuseUnusedField({ kind }: Pick<Item, 'kind'>, field: MediaField): void {
  if (!hasField(kind, field)) throw fail('media_field_unused', { data: { kind, field } });
}

/** The folder of a workspace's media. Its files are apart from the files that buyers download. */
export const mediaFolder = (filesDir: string, workspaceId: bigint): string =>
  join(filesDir, 'media', String(workspaceId));

/** The key has 122 random bits, so nobody can guess the address of a file. */
export const writeMediaUrl = (
  publicUrl: string,
  { workspaceId, key, type }: { workspaceId: bigint; key: string; type: string },
): string => `${publicUrl}/media/${workspaceId}/${key}.${endings[type]}`;

/** Reads the last part of an address, such as `0f….png`. */
export function readMediaName(name: string): { key: string; ending: string } | undefined {
  const [, key, ending] = /^([0-9a-f]{32})\.([a-z0-9]{3,4})$/.exec(name) ?? [];
  return key === undefined || ending === undefined ? undefined : { key, ending };
}

export const hasEnding = ({ type }: Pick<MediaFile, 'type'>, ending: string): boolean =>
  endings[type] === ending;

export const listMediaUrls = (item: Item): string[] => [
  item.thumbnailUrl,
  item.previewImageUrl,
  item.previewVideoUrl,
  item.previewAudioUrl,
  ...item.screenshotUrls,
];

/**
 * Returns the key of a file in an address, or undefined if the address cannot be that of an upload of this
 * workspace. The host is not compared, because `LICENSING_PUBLIC_URL` may have changed since the upload.
 */
export function findMediaKey(workspaceId: bigint, url: string): string | undefined {
  const [, workspace, name = ''] = /\/media\/(\d+)\/([^/]+)$/.exec(url) ?? [];
  return workspace === String(workspaceId) ? readMediaName(name)?.key : undefined;
}

/** Puts an address into a field of the item. Screenshots are added at the end of their list. */
export function putMediaUrl(item: Item, field: MediaField, url: string): Item {
  switch (field) {
    case 'thumbnail':
      return { ...item, thumbnailUrl: url };
    case 'preview_image':
      return { ...item, previewImageUrl: url };
    case 'preview_video':
      return { ...item, previewVideoUrl: url };
    case 'preview_audio':
      return { ...item, previewAudioUrl: url };
    case 'screenshots':
      return { ...item, screenshotUrls: [...item.screenshotUrls, url] };
  }
}
