// Whether a workspace's account may sell, and whether it gives support; from memory where possible.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { selectSeller } from './seller-store.ts';
import type { Kept, WorkspaceMemory } from './workspace-memory.ts';

export interface Seller {
  readonly isSeller: boolean;
  readonly supportEnabled: boolean;
}

export type SellerFinder = Kept<Seller>;

export const createSellerFinder = (db: Queryable, memory: WorkspaceMemory): SellerFinder =>
  memory.keep({
    topic: 'seller',
    maxEntries: 50_000,
    load: (workspaceId) => selectSeller(db, workspaceId),
  });
