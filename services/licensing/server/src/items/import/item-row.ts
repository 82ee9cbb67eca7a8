// Parses a row of an item file.
import { isPrintable } from '@counterfoil/kit/http/text';
import { parseMinor } from '@counterfoil/kit/money';
import { Cells } from '../../transfer/cells.ts';
import type { Row, RowProblem } from '../../transfer/row.ts';
import { isWebAddress } from '../../wire/input.ts';
import { type Item, itemKinds, itemStates } from '../item.ts';
import { isVersion } from '../item-version.ts';
import type { NewItem } from '../management/create-item.ts';
import { limits } from '../management/item-input.ts';

/** The columns of an item file, each with the field of the item that it fills. */
export const itemColumns = {
  external_id: 'externalId',
  kind: 'kind',
  state: 'state',
  name: 'name',
  description: 'description',
  category: 'category',
  sub_category: 'subCategory',
  options: 'options',
  version: 'version',
  demo_link: 'demoLink',
  tags: 'tags',
  thumbnail: 'thumbnailUrl',
  preview_image: 'previewImageUrl',
  preview_video: 'previewVideoUrl',
  preview_audio: 'previewAudioUrl',
  screenshots: 'screenshotUrls',
  price_regular: 'priceRegularMinor',
  price_extended: 'priceExtendedMinor',
  currency: 'currency',
  published_at: 'publishedAt',
} as const satisfies Record<string, keyof Item>;

export const itemFields = ['id', ...Object.keys(itemColumns)];

export interface ItemRow {
  readonly line: number;
  /** The id of an existing item. Without it, the item is found by the seller's own id. */
  readonly id: bigint | undefined;
  readonly item: Omit<NewItem, 'workspaceId'>;
  /** The columns that the file has. Only these are compared with the stored item. */
  readonly given: readonly (keyof typeof itemColumns)[];
}

export function parseItemRow(
  row: Row,
  context: { workspaceCurrency: string },
): ItemRow | readonly RowProblem[] {
  const cells = new Cells(row);
  const id = cells.id('id');
  const externalId = readLine(cells, 'external_id', limits.externalId);
  if (id === undefined && externalId === undefined && cells.problems.length === 0)
    cells.refuse('external_id', 'is missing. The next import finds the item by it.');
  const kindText = cells.required('kind', 10);
  const kind = cells.oneOf('kind', itemKinds, 'image');
  const name = cells.required('name', limits.name) ?? '';
  const currency = cells.currency('currency') ?? context.workspaceCurrency;
  const version = cells.text('version', 32) ?? '1.0.0';
  if (!isVersion(version)) cells.refuse('version', 'must be of the form x.y.z.');
  const state = cells.oneOf('state', itemStates, 'draft');
  const publishedAt = cells.moment('published_at');
  if (publishedAt && state === 'draft')
    cells.refuse('published_at', 'needs the state published or withdrawn.');
  const item = {
    ...(externalId !== undefined && { externalId }),
    kind,
    state,
    name,
    currency,
    version,
    ...(publishedAt && { publishedAt }),
    ...readTexts(cells),
    ...readMedia(cells),
    priceRegularMinor: readPrice(cells, 'price_regular', currency),
    priceExtendedMinor: readPrice(cells, 'price_extended', currency),
  };
  if (cells.problems.length > 0 || kindText === undefined) return cells.problems;
  const columns = Object.keys(itemColumns) as (keyof typeof itemColumns)[];
  return { line: row.line, id, item, given: columns.filter((column) => cells.has(column)) };
}

function readLine(cells: Cells, field: string, max: number): string | undefined {
  const text = cells.text(field, max);
  if (text === undefined || isPrintable(text)) return text;
  return cells.refuse(field, 'must be one line of printable characters.');
}

function readTexts(cells: Cells) {
  const entries = { entries: limits.list, length: limits.listEntry };
  return {
    description: cells.text('description', limits.description) ?? '',
    category: readLine(cells, 'category', limits.category) ?? '',
    subCategory: readLine(cells, 'sub_category', limits.category) ?? '',
    options: cells.list('options', entries),
    tags: cells.list('tags', entries),
  };
}

function readMedia(cells: Cells) {
  const address = (field: string): string => {
    const text = cells.text(field, 2048) ?? '';
    if (!isWebAddress(text)) cells.refuse(field, 'must start with http:// or https://.');
    return text;
  };
  const screenshotUrls = cells.list('screenshots', { entries: limits.list, length: 2048 });
  if (!screenshotUrls.every(isWebAddress))
    cells.refuse('screenshots', 'must start with http:// or https://.');
  return {
    demoLink: address('demo_link'),
    thumbnailUrl: address('thumbnail'),
    previewImageUrl: address('preview_image'),
    previewVideoUrl: address('preview_video'),
    previewAudioUrl: address('preview_audio'),
    screenshotUrls,
  };
}

function readPrice(cells: Cells, field: string, currency: string): bigint {
  const text = cells.amount(field);
  if (text === undefined) return 0n;
  const minor = parseMinor(text, currency);
  return minor ?? cells.refuse(field, `must be an exact amount in ${currency}.`) ?? 0n;
}
