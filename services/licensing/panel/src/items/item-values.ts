// Converts an item between the format of the service and the format of the form.
import { readAmount, writeAmount } from '@counterfoil/ui/parts/amount.ts';
import type { Item } from '../wire.ts';

/** The values of the text fields of the form; all are empty for a new item. */
export const toValues = (item?: Item) => ({
  name: item?.name ?? '',
  description: item?.description ?? '',
  category: item?.category ?? '',
  sub_category: item?.sub_category ?? '',
  demo_link: item?.demo_link ?? '',
  external_id: item?.external_id ?? '',
  regular: item ? writeAmount(item.price.regular) : '',
  extended: item ? writeAmount(item.price.extended) : '',
  currency: item?.currency ?? '',
  thumbnail: item?.media.thumbnail ?? '',
  preview_image: item?.media.preview_image ?? '',
  preview_video: item?.media.preview_video ?? '',
  preview_audio: item?.media.preview_audio ?? '',
});

/** The fields that contain the address of one file. */
export const mediaNames = ['thumbnail', 'preview_image', 'preview_video', 'preview_audio'] as const;

/** Returns some of the values. */
export const pick = <Name extends string>(values: Record<Name, string>, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<Record<Name, string>>;

export type ItemValues = ReturnType<typeof toValues>;

export const toLists = (item?: Item) => ({
  tags: [...(item?.tags ?? [])],
  options: [...(item?.options ?? [])],
  screenshots: [...(item?.media.screenshots ?? [])],
});

export type ItemLists = Readonly<ReturnType<typeof toLists>>;

/**
 * Converts a typed amount to a number. An empty text becomes 0. A text that is not a number stays a text, and
 * the service refuses it.
 */
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

/** Returns the fields of `body` that differ from `start`. */
export function pickChanged(start: Body, body: Body): Body {
  const isSame = (name: string) => JSON.stringify(start[name]) === JSON.stringify(body[name]);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isSame(name)));
}
