// The input of an item: its fields, their limits, and the conversion from wire to domain.
import { shownAs } from '@counterfoil/kit/http/openapi/schema-marks';
import { notBlankForm, PrintableText } from '@counterfoil/kit/http/text';
import { isCurrency } from '@counterfoil/kit/money';
import { type Static, Type } from 'typebox';
import { type Amount, isWebAddress, NamedObject, Price, Prose, readAmount, Url } from '../../wire/input.ts';
import { Problems } from '../../wire/refusals.ts';
import { type Item, itemKinds } from '../item.ts';
import { Version } from '../item-version.ts';

export const limits = {
  name: 200,
  description: 20_000,
  category: 100,
  externalId: 128,
  listEntry: 100,
  list: 50,
} as const;

const NotBlank = (max: number) => shownAs(PrintableText({ min: 1, max }), notBlankForm(max));

const Names = Type.Array(NotBlank(limits.listEntry), { maxItems: limits.list });

const editable = {
  external_id: PrintableText({
    max: limits.externalId,
    description: "The seller's own id of the item, unique in the workspace. Imports find the item by it.",
  }),
  name: NotBlank(limits.name),
  description: Prose(limits.description),
  category: PrintableText({ max: limits.category }),
  sub_category: PrintableText({ max: limits.category }),
  options: Names,
  demo_link: Url,
  tags: Names,
  media: Type.Partial(
    Type.Object({
      thumbnail: Url,
      preview_image: Url,
      preview_video: Url,
      preview_audio: Url,
      screenshots: Type.Array(Url, { maxItems: limits.list }),
    }),
  ),
  price: Type.Partial(
    Type.Object({
      regular: Price('0 for a free item.'),
      extended: Price('0 if no Extended licence is sold.'),
    }),
  ),
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }),
};

export const ItemChangesInput = Type.Partial(Type.Object(editable));

export const NewItemInput = NamedObject('NewItem', {
  ...ItemChangesInput.properties,
  kind: Type.Enum([...itemKinds]),
  name: editable.name,
  version: Type.Optional(Version),
});

export type ItemChanges = Partial<Omit<Item, 'workspaceId' | 'id' | 'kind' | 'state' | 'version'>>;

/**
 * Converts the input to changes of an item. Amounts are in the currency of `current` if the input names no
 * currency.
 */
export function readItemChanges(
  input: Static<typeof ItemChangesInput>,
  current: { currency: string },
): ItemChanges {
  const problems = new Problems();
  const { media = {} } = input;
  if (input.name?.trim() === '') problems.add('name', 'must not be blank.');
  for (const field of ['options', 'tags'] as const)
    if (input[field]?.some((each) => each.trim() === ''))
      problems.add(field, 'must not contain a blank text.');
  const currency = input.currency ?? current.currency;
  if (!isCurrency(currency)) problems.add('currency', 'must be a currency of ISO 4217.');
  const { regular, extended } = input.price ?? {};
  if (currency !== current.currency && (regular === undefined || extended === undefined))
    problems.add('price', 'must contain both prices in the new currency.');
  const price = (field: string, amount: Amount | undefined) =>
    amount === undefined || !isCurrency(currency)
      ? undefined
      : readAmount(problems, { field, amount, currency });
  const priceRegularMinor = price('price.regular', regular);
  const priceExtendedMinor = price('price.extended', extended);
  const address = (field: string, text: string | undefined) =>
    text === undefined || isWebAddress(text)
      ? text
      : problems.add(field, 'must be an address that starts with http:// or https://.');
  const changes: { [K in keyof ItemChanges]: ItemChanges[K] | undefined } = {
    name: input.name,
    description: input.description,
    category: input.category,
    subCategory: input.sub_category,
    options: input.options,
    tags: input.tags,
    demoLink: address('demo_link', input.demo_link),
    thumbnailUrl: address('media.thumbnail', media.thumbnail),
    previewImageUrl: address('media.preview_image', media.preview_image),
    previewVideoUrl: address('media.preview_video', media.preview_video),
    previewAudioUrl: address('media.preview_audio', media.preview_audio),
    screenshotUrls: media.screenshots?.flatMap((each) =>
      each === '' ? [] : (address('media.screenshots', each) ?? []),
    ),
    currency: input.currency,
    priceRegularMinor,
    priceExtendedMinor,
  };
  problems.throwIfAny();
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  // An empty external id removes the stored external id, so the empty text must not be dropped like a missing
  // field.
  const externalId = input.external_id === undefined ? {} : { externalId: input.external_id || undefined };
  return { ...Object.fromEntries(given), ...externalId };
}
