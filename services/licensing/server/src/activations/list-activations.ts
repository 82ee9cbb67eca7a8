// The workspace's activations, newest first, page by page; of one purchase where it is named.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Page } from '../wire/paging.ts';
import type { Activation } from './activation.ts';
import { selectActivations } from './store.ts';

export const listActivations = (
  db: Queryable,
  filter: { workspaceId: bigint; purchaseId: bigint | undefined },
  page: Page,
): Promise<Activation[]> =>
  selectActivations(db, { ...filter, limit: page.limit, beforeId: page.after[0] });
