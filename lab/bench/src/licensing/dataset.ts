// The dataset for licensing: a million purchases and five thousand items, created once.
import { randomUUID } from 'node:crypto';
import { type MasterKey, parseMasterKey } from '@counterfoil/kit/crypto/secrets';
import { type Db, openDb } from '@counterfoil/kit/postgres/db';
import { migrate, readMigrations } from '@counterfoil/kit/postgres/migrate';
import { createWorkspace } from '@counterfoil/licensing-server/accounts/create-workspace';
import { insertApiKey } from '@counterfoil/licensing-server/api-keys/insert-api-key';
import { migrationFolders } from '@counterfoil/licensing-server/app';
import { readScopes } from '@counterfoil/licensing-server/authentication/api-key';
import { hashCode, makeCodeHint, sealCode } from '@counterfoil/licensing-server/purchases/code';

/** A fixed master key, because later runs reuse the dataset. The dataset contains nothing confidential. */
export const masterKeyText = Buffer.alloc(32, 7).toString('base64');

const itemCount = 5_000;
/** The number of items that have purchases. All other items have none. */
const soldItemCount = 250;
const chunk = 20_000;
const sampleSize = 20_000;

export interface Dataset {
  readonly workspaceId: bigint;
  readonly apiKey: string;
  /** A sample of the purchase codes, from all parts of the table of purchases. */
  readonly codes: readonly string[];
}

/** Creates the dataset if it does not exist. The database also stores the values that a later run needs. */
export async function openDataset(
  url: string,
  { purchaseCount, say }: { purchaseCount: number; say: (line: string) => void },
): Promise<Dataset> {
  await migrate({ url, migrations: await readMigrations(migrationFolders) });
  const db = openDb({ url, applicationName: 'bench stock', queryTimeoutMs: 120_000 });
  try {
    await db.query('create table if not exists bench_stock (facts jsonb not null)');
    const { rows } = await db.query<{ facts: Omit<Dataset, 'workspaceId'> & { id: string } }>(
      'select facts from bench_stock',
    );
    const facts = rows[0]?.facts;
    if (facts) return { ...facts, workspaceId: BigInt(facts.id) };
    say(`Creating ${purchaseCount.toLocaleString('en')} purchases (once) …`);
    const { workspaceId, ...rest } = await createDataset(db, { purchaseCount, say });
    const made = JSON.stringify({ ...rest, id: String(workspaceId) });
    await db.query('insert into bench_stock values ($1)', [made]);
    await db.query('vacuum analyze');
    return { workspaceId, ...rest };
  } finally {
    await db.end();
  }
}

async function createDataset(
  db: Db,
  { purchaseCount, say }: { purchaseCount: number; say: (line: string) => void },
) {
  const masterKey = parseMasterKey(masterKeyText);
  const { workspaceId, apiKey } = await db.transaction(async (tx) => {
    const account = { email: 'bench@test.example', currency: 'USD' };
    const id = await createWorkspace(tx, { name: 'Bench', account });
    const key = { workspaceId: id, name: 'Bench', kind: 'secret', scopes: readScopes } as const;
    return { workspaceId: id, apiKey: (await insertApiKey(tx, masterKey, key)).secret };
  });
  const firstItem = await insertItems(db, workspaceId);
  const codes: string[] = [];
  for (let done = 0; done < purchaseCount; done += chunk) {
    const fresh = Array.from({ length: chunk }, () => randomUUID() as string);
    await insertPurchases(db, { masterKey, workspaceId, firstItem, codes: fresh });
    codes.push(...fresh.slice(0, (sampleSize * chunk) / purchaseCount));
    if ((done / chunk) % 10 === 9) say(`  ${(done + chunk).toLocaleString('en')}`);
  }
  return { workspaceId, apiKey, codes: codes.sort() };
}

async function insertItems(db: Db, workspaceId: bigint): Promise<bigint> {
  const { rows } = await db.query<{ first: bigint }>(
    `with made as (
       insert into items (workspace_id, kind, state, name, description, category, sub_category,
         options, version, demo_link, tags, thumbnail_url, preview_image_url, screenshot_urls,
         price_regular_minor, price_extended_minor, currency, published_at)
       select $1, 'image', 'published', 'Item number ' || n, repeat('Quiet and fast. ', 12),
         'Themes', 'Blog', '{responsive,dark}', '1.2.' || n % 10, 'https://demo.example/' || n,
         '{blog,minimal,fast}', 'https://media.example/' || n || '/thumbnail.png',
         'https://media.example/' || n || '/preview.png',
         array['https://media.example/' || n || '/1.png'], 2900, 19900, 'USD', now()
       from generate_series(1, $2::int) n returning id)
     select min(id) as first from made`,
    [workspaceId, itemCount],
  );
  return (rows[0] as { first: bigint }).first;
}

async function insertPurchases(
  db: Db,
  given: { masterKey: MasterKey; workspaceId: bigint; firstItem: bigint; codes: readonly string[] },
): Promise<void> {
  const hashes = given.codes.map((code) => hashCode(given.masterKey, code));
  const sealed = given.codes.map((code, at) => sealCode(given.masterKey, code, hashes[at] as Buffer));
  await db.query(
    `insert into purchases (workspace_id, code_hash, code_sealed, code_hint, item_id,
       license_type, price_minor, currency, supported_until, purchased_at)
     select $1, h, s, c, $2::bigint + (n % $3), 'Regular', 2407, 'USD', now() + interval '90 days',
       now() - interval '30 days'
     from unnest($4::bytea[], $5::bytea[], $6::text[]) with ordinality as given (h, s, c, n)`,
    [given.workspaceId, given.firstItem, soldItemCount, hashes, sealed, given.codes.map(makeCodeHint)],
  );
}
