// An item as those who manage it see it: the public record, and what is theirs alone.

import { presentTime } from '@counterfoil/kit/http/answers';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { type Item, ItemAnswer, itemKinds, itemStates, presentItem } from '../item.ts';

export const ManagedItem = named(
  'ManagedItem',
  Type.Object({
    ...ItemAnswer.properties,
    external_id: Type.String(),
    kind: Type.Enum([...itemKinds]),
    state: Type.Enum([...itemStates]),
    published_at: Type.String({ description: 'The first time; "" before.' }),
    created_at: Type.String(),
    updated_at: Type.String(),
    waiting_codes: Type.Integer({
      description: 'Active codes that do not validate until the item is published; 0 afterwards.',
    }),
  }),
);

/** How many active codes each of the items has; items without any are absent. */
export type CountCodes = (
  db: Queryable,
  of: { workspaceId: bigint; itemIds: readonly bigint[] },
) => Promise<ReadonlyMap<bigint, number>>;

/** Only an item that was never published has codes that wait: nothing is counted for the others. */
export async function presentManagedItems(
  db: Queryable,
  countCodes: CountCodes,
  items: readonly Item[],
) {
  const unpublished = items.filter((item) => item.publishedAt === undefined);
  const [first] = unpublished;
  const itemIds = unpublished.map((item) => item.id);
  const codes = first && (await countCodes(db, { workspaceId: first.workspaceId, itemIds }));
  return items.map((item) => presentManagedItem(item, codes?.get(item.id) ?? 0));
}

const presentManagedItem = (item: Item, waitingCodes: number) => ({
  ...presentItem(item),
  external_id: item.externalId ?? '',
  kind: item.kind,
  state: item.state,
  created_at: presentTime(item.createdAt),
  updated_at: presentTime(item.updatedAt),
  waiting_codes: waitingCodes,
});
