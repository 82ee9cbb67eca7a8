// Exports the items of a workspace, oldest first, with one page in memory at a time.
import { presentTime } from '@counterfoil/kit/http/answers';
import { formatMinor } from '@counterfoil/kit/money';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { OutRow } from '../../transfer/write-rows.ts';
import type { Item } from '../item.ts';
import { selectItemsAfter } from '../management/queries.ts';

const pageSize = 500;

export async function* exportItems(
  db: Db,
  { workspaceId }: { workspaceId: bigint },
): AsyncGenerator<OutRow> {
  for (let afterId = 0n; ; ) {
    const page = await selectItemsAfter(db, { workspaceId, afterId, limit: pageSize });
    for (const item of page) yield presentRow(item);
    const last = page.at(-1);
    if (!last) return;
    afterId = last.id;
  }
}

const presentRow = (item: Item): OutRow => ({
  id: Number(item.id),
  external_id: item.externalId ?? '',
  kind: item.kind,
  state: item.state,
  name: item.name,
  description: item.description,
  category: item.category,
  sub_category: item.subCategory,
  options: item.options,
  version: item.version,
  demo_link: item.demoLink,
  tags: item.tags,
  thumbnail: item.thumbnailUrl,
  preview_image: item.previewImageUrl,
  preview_video: item.previewVideoUrl,
  preview_audio: item.previewAudioUrl,
  screenshots: item.screenshotUrls,
  price_regular: formatMinor(item.priceRegularMinor, item.currency),
  price_extended: formatMinor(item.priceExtendedMinor, item.currency),
  currency: item.currency,
  published_at: item.publishedAt ? presentTime(item.publishedAt) : '',
});
