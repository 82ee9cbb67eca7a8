// Creates the items of a demo seller, with files, through the use cases that sellers use.
import { Readable } from 'node:stream';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { NewWorkspace } from '../accounts/create-workspace.ts';
import { storeFile } from '../files/stored-file.ts';
import { recordFile } from '../items/management/attach-file.ts';
import { addVersion, publishItem, withdrawItem } from '../items/management/change-item.ts';
import { createItem } from '../items/management/create-item.ts';
import type { CatalogueEntry } from './catalogues.ts';
import { demoMediaAddress, nameItemMedia } from './list-demo-media.ts';

export type SeededItem = Awaited<ReturnType<typeof seedItems>>[number];

const maxFileBytes = 1024 * 1024;

interface Given {
  /** The address of the service, which serves the demo's media. */
  readonly publicUrl: string;
  readonly workspaceId: bigint;
  readonly seller: NewWorkspace;
  readonly catalogue: readonly CatalogueEntry[];
  readonly now: Date;
}

export async function seedItems(tx: Tx, { filesDir }: { filesDir: string }, given: Given) {
  const seeded = [];
  for (const entry of given.catalogue) {
    const id = await seedItem(tx, entry, given);
    if (entry.hasFile) await seedFile(tx, { ...given, filesDir, entry, itemId: id });
    const { kind, prices, state = 'published' } = entry;
    const { currency } = given.seller.account;
    seeded.push({ id, kind, published: state === 'published', currency, prices });
  }
  return seeded;
}

async function seedItem(tx: Tx, entry: CatalogueEntry, given: Given): Promise<bigint> {
  const { workspaceId, seller } = given;
  const { kind, name, description, category, subCategory, tags, options = [], createdAt } = entry;
  const { username = '' } = seller.account;
  const names = nameItemMedia(entry);
  const address = (name: string | undefined) =>
    name === undefined ? '' : demoMediaAddress(given.publicUrl, { seller: username, name });
  const itemId = await createItem(
    tx,
    {
      workspaceId,
      externalId: entry.slug,
      kind,
      name,
      description,
      category,
      subCategory,
      tags,
      options,
      demoLink: kind === 'image' ? `https://${username}.example/demo/${entry.slug}` : '',
      thumbnailUrl: address(names.thumbnail),
      previewImageUrl: address(names.previewImage),
      previewVideoUrl: address(names.previewVideo),
      previewAudioUrl: address(names.previewAudio),
      screenshotUrls: names.screenshots.map(address),
      priceRegularMinor: entry.prices[0],
      priceExtendedMinor: entry.prices[1],
      currency: seller.account.currency,
    },
    createdAt,
  );
  const target = { caller: { workspaceId, actor: {} }, itemId, now: createdAt };
  for (const version of entry.newerVersions ?? [])
    await addVersion(tx, target, { version, notes: 'Fixes and small things.' });
  if (entry.state !== 'draft') await publishItem(tx, target);
  if (entry.state === 'withdrawn') await withdrawItem(tx, { ...target, now: given.now });
  return itemId;
}

async function seedFile(
  tx: Tx,
  given: Given & { filesDir: string; entry: CatalogueEntry; itemId: bigint },
): Promise<void> {
  const { workspaceId, entry, itemId } = given;
  const version = entry.newerVersions?.at(-1) ?? '1.0.0';
  const text = `${entry.name}, version ${version}.\nThis stands for the file that a buyer downloads.\n`;
  const source = Readable.from([Buffer.from(text.repeat(2000))]);
  const stored = await storeFile(given.filesDir, source, { maxBytes: maxFileBytes });
  await recordFile(tx, stored, {
    caller: { workspaceId, actor: {} },
    itemId,
    version,
    fileName: `${entry.slug}-${version}.txt`,
    at: entry.createdAt,
  });
}
