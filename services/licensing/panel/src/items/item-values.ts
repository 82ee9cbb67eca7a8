// Converts an item between the service's format and the form's.
import { readAmount, writeAmount } from '@counterfoil/ui/parts/amount.ts';
import type { Item } from '../wire.ts';

export const blankItem = {
  name: '',
  description: '',
  category: '',
  sub_category: '',
  demo_link: '',
  external_id: '',
  regular: '',
  extended: '',
  currency: '',
  thumbnail: '',
  preview_image: '',
  preview_video: '',
  preview_audio: '',
};

export type ItemValues = typeof blankItem;

export interface ItemLists {
  readonly tags: string[];
  readonly options: string[];
  readonly screenshots: string[];
}

export const blankLists: ItemLists = { tags: [], options: [], screenshots: [] };

export const toValues = (item: Item): ItemValues => ({
  name: item.name,
  description: item.description,
  category: item.category,
  sub_category: item.sub_category,
  demo_link: item.demo_link,
  external_id: item.external_id,
  regular: writeAmount(item.price.regular),
  extended: writeAmount(item.price.extended),
  currency: item.currency,
  thumbnail: item.media.thumbnail,
  preview_image: item.media.preview_image ?? '',
  preview_video: item.media.preview_video ?? '',
  preview_audio: item.media.preview_audio ?? '',
});

export const toLists = (item: Item): ItemLists => ({
  tags: [...item.tags],
  options: [...item.options],
  screenshots: [...(item.media.screenshots ?? [])],
});

/** An empty text is 0. A text that is not a number stays text, and the service refuses it. */
const toAmount = (typed: string): unknown => {
  const text = readAmount(typed);
  const amount = Number(text);
  return Number.isNaN(amount) ? text : amount;
};

export function toBody(values: ItemValues, lists: ItemLists): Record<string, unknown> {
  const { thumbnail, preview_image, preview_video, preview_audio, ...rest } = values;
  const { regular, extended, currency, ...plain } = rest;
  return {
    ...plain,
    tags: lists.tags,
    options: lists.options,
    media: { thumbnail, preview_image, preview_video, preview_audio, screenshots: lists.screenshots },
    price: { regular: toAmount(regular), extended: toAmount(extended) },
    ...(currency !== '' && { currency }),
  };
}

type Body = ReturnType<typeof toBody>;

/** The fields of a body that changed. */
export function pickChanged(start: Body, body: Body): Body {
  const isSame = (name: string) => JSON.stringify(start[name]) === JSON.stringify(body[name]);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isSame(name)));
}
