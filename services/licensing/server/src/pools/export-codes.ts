// Exports the free codes of a pool in the order in which they will be handed out, with one page in memory.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Db } from '@counterfoil/kit/postgres/db';
import { unsealCode } from '../purchases/code.ts';
import type { OutRow } from '../transfer/write-rows.ts';
import { auditPool, keyOf, type PoolToChange } from './pool-audit.ts';
import { getPool, selectFreeAfter } from './queries.ts';

const pageSize = 1000;

export const poolExportColumns = ['code'] as const;

/** Records the export in the audit log, and returns the rows. Throws if the pool does not exist. */
export async function exportCodes(
  deps: { db: Db; masterKey: MasterKey },
  target: PoolToChange,
): Promise<AsyncGenerator<OutRow>> {
  const pool = await getPool(deps.db, keyOf(target));
  const details = { free: Number(pool.freeCount) };
  await deps.db.transaction((tx) => auditPool(tx, target, 'pool_codes_exported', details));
  return readCodes(deps, target);
}

async function* readCodes(
  { db, masterKey }: { db: Db; masterKey: MasterKey },
  target: PoolToChange,
): AsyncGenerator<OutRow> {
  for (let afterId = 0n; ; ) {
    const page = await selectFreeAfter(db, { ...keyOf(target), afterId, limit: pageSize });
    for (const { codeHash, codeSealed } of page) yield { code: unsealCode(masterKey, codeSealed, codeHash) };
    const last = page.at(-1);
    if (!last) return;
    afterId = last.id;
  }
}
