// PostgreSQL plans the look-up of codes once per connection, whatever the number of codes is.
import { openDb } from '@counterfoil/kit/postgres/db';
import { expect, it } from 'vitest';
import { hashCode } from '../../src/purchases/code.ts';
import { selectPurchasesByCode } from '../../src/purchases/validation/queries.ts';
import { setUpLicensing } from '../environment/given.ts';

const given = setUpLicensing();

it('the look-up of few codes reuses its plan and finds each code once', async () => {
  const workspaceId = await given.workspace();
  const itemId = await given.item(workspaceId);
  const codes: string[] = [];
  for (let i = 0; i < 12; i++) codes.push((await given.purchase(workspaceId, itemId)).code);
  const hashes = codes.map((code) => hashCode(given.config.masterKey, code).toString('hex'));
  const db = openDb({ url: given.config.databaseUrl, applicationName: 'plan test', maxConnections: 1 });
  try {
    for (let count = 1; count <= hashes.length; count++) {
      // The first code is repeated, and the last code does not exist.
      const codeHashes = [...hashes.slice(0, count), hashes[0] ?? '', '00'.repeat(32)];
      const found = await selectPurchasesByCode(db, { workspaceId: String(workspaceId), codeHashes });
      expect([...found.keys()].sort()).toEqual(hashes.slice(0, count).sort());
    }
    const { rows } = await db.query<{ custom: bigint; generic: bigint }>(
      `select custom_plans as custom, generic_plans as generic from pg_prepared_statements
       where name = 'select_purchases_by_code'`,
    );
    // PostgreSQL plans the first five executions of every statement separately.
    expect(rows).toEqual([{ custom: 5n, generic: 7n }]);
  } finally {
    await db.end();
  }
});
