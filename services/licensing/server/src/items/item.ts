// An item of a seller, and the fields of an item in the API (specification, section 2).
import { presentTime } from '@counterfoil/kit/http/answers';
import { toJsonNumber } from '@counterfoil/kit/money';
import { Type } from 'typebox';
import { NamedObject } from '../wire/input.ts';

export const itemKinds = ['image', 'video', 'audio'] as const;
export type ItemKind = (typeof itemKinds)[number];
export const itemStates = ['draft', 'published', 'withdrawn'] as const;
export type ItemState = (typeof itemStates)[number];

export interface Item {
  readonly workspaceId: bigint;
  readonly id: bigint;
  /** The seller's own id, by which an import finds the item. */
  readonly externalId: string | undefined;
  readonly kind: ItemKind;
  readonly state: ItemState;
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly subCategory: string;
  readonly options: readonly string[];
  readonly version: string;
  readonly demoLink: string;
  readonly tags: readonly string[];
  readonly thumbnailUrl: string;
  readonly previewImageUrl: string;
  readonly previewVideoUrl: string;
  readonly previewAudioUrl: string;
  readonly screenshotUrls: readonly string[];
  readonly priceRegularMinor: bigint;
  readonly priceExtendedMinor: bigint;
  readonly currency: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly publishedAt: Date | undefined;
}

export const ItemAnswer = NamedObject('Item', {
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  category: Type.String(),
  sub_category: Type.String(),
  options: Type.Array(Type.String()),
  version: Type.String({ description: 'Dotted x.y.z.' }),
  demo_link: Type.String(),
  tags: Type.Array(Type.String()),
  media: Type.Object({
    thumbnail: Type.String(),
    preview_image: Type.Optional(Type.String({ description: 'Absent for audio items.' })),
    preview_video: Type.Optional(Type.String({ description: 'Video items only.' })),
    preview_audio: Type.Optional(Type.String({ description: 'Audio items only.' })),
    screenshots: Type.Optional(Type.Array(Type.String(), { description: 'Absent if there are none.' })),
  }),
  price: Type.Object({
    regular: Type.Number({ description: 'For a Regular licence; 0 for a free item.' }),
    extended: Type.Number({
      description: 'For an Extended licence; 0 if none is sold, or the item is free.',
    }),
  }),
  currency: Type.String(),
  published_at: Type.String({ format: 'date-time' }),
});

export function presentItem(item: Item) {
  const { currency } = item;
  return {
    id: Number(item.id),
    name: item.name,
    description: item.description,
    category: item.category,
    sub_category: item.subCategory,
    options: [...item.options],
    version: item.version,
    demo_link: item.demoLink,
    tags: [...item.tags],
    media: presentMedia(item),
    price: {
      regular: toJsonNumber(item.priceRegularMinor, currency),
      extended: toJsonNumber(item.priceExtendedMinor, currency),
    },
    currency,
    published_at: item.publishedAt ? presentTime(item.publishedAt) : '',
  };
}

/**
 * Presents the media of an item. Fields that its kind does not have are absent, as the specification
 * requires.
 */
function presentMedia(item: Item) {
  return {
    thumbnail: item.thumbnailUrl,
    ...(item.kind !== 'audio' && { preview_image: item.previewImageUrl }),
    ...(item.kind === 'video' && { preview_video: item.previewVideoUrl }),
    ...(item.kind === 'audio' && { preview_audio: item.previewAudioUrl }),
    ...(item.screenshotUrls.length > 0 && { screenshots: [...item.screenshotUrls] }),
  };
}
