// All workspaces in the order of their numbers, page by page: for the operator alone.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Page } from '../wire/paging.ts';
import { selectWorkspacePage } from './directory-store.ts';
import type { Workspace } from './workspace.ts';

export const listAllWorkspaces = (db: Queryable, page: Page): Promise<Workspace[]> =>
  selectWorkspacePage(db, { afterId: page.after[0], limit: page.limit });
