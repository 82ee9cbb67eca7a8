// Fills a workspace with many rows, so that a test can distinguish an index scan from a full scan.
import { openDb } from '@counterfoil/kit/postgres/db';
import { ensurePartitions } from '@counterfoil/kit/postgres/partitions';

const dayMs = 86_400_000;

/** The number of days that the request log covers, including today. */
const days = 5;

// For each filter, one old row has a rare value. All other rows share a common value.
const fills = [
  `insert into items (workspace_id, kind, state, name, tags, published_at, price_regular_minor,
     price_extended_minor, currency)
   select $1, case when n = 1 then 'audio' else 'image' end,
     case when n = 2 then 'withdrawn' else 'published' end,
     case when n = 3 then 'Old heron' else 'Item ' || n end, '{paper}', $3::timestamptz, 1999, 9999,
     'USD'
   from generate_series(1, $2::int) as n`,
  `insert into purchases (workspace_id, code_hash, code_sealed, code_hint, item_id, license_type,
     price_minor, currency, state, purchased_at, buyer_name, buyer_email)
   select $1, sha256(('code' || n)::bytea), '', 'hint', first + n % 100, 'Regular', 1999, 'USD',
     case when n = 1 then 'disputed' when n % 10 = 0 then 'refunded' else 'active' end,
     $3::timestamptz - make_interval(secs => $2::int - n),
     case when n = 2 then 'Ada Byron' else 'Buyer ' || n end, 'buyer-' || (n % 5000) || '@test.example'
   from generate_series(1, $2::int) as n,
     (select min(id) as first from items where workspace_id = $1) as of_items`,
  `insert into activations (workspace_id, purchase_id, target_hash, target_kind, target, counts,
     created_at, last_seen_at)
   select workspace_id, id, code_hash, 'domain',
     case when id % 2 = 0 then 'localhost' else 'shop-' || (id % 5000) || '.example' end, id % 2 = 1,
     $3::timestamptz, $3::timestamptz
   from purchases where workspace_id = $1 and $2::int > 0`,
  `insert into code_pools (workspace_id, name, item_id, license_type, price_minor, currency,
     low_stock_below, created_at, updated_at)
   select $1, 'Pool ' || n, first + n % 100, 'Regular', 1999, 'USD', 0, $3::timestamptz, $3::timestamptz
   from generate_series(1, $2::int) as n,
     (select min(id) as first from items where workspace_id = $1) as of_items`,
  `insert into request_log (workspace_id, at, api_key_id, request_id, address, method, route, status,
     code, duration_ms, code_hint)
   select $1, $3::timestamptz - make_interval(secs => ($2::int - n) * ${days - 1}.0 * 86400 / $2::int),
     case when n = 1 then 7 else 8 end, 'r-' || n, '10.0.0.1', 'POST', '/api/purchases/validation',
     case when n = 2 then 503 when n % 2 = 0 then 404 else 200 end,
     case when n = 2 then 'overloaded' when n = 4 then 'purchase_disputed'
       when n % 2 = 0 then 'purchase_not_found' else '' end, 1, ''
   from generate_series(1, $2::int) as n`,
  `insert into audit_log (workspace_id, at, action, subject_kind, subject_id)
   select $1, $3::timestamptz, case when n = 1 then 'seller_set' else 'purchase_issued' end,
     'purchase', n::text
   from generate_series(1, $2::int) as n`,
];

export const largeTables = ['items', 'purchases', 'activations', 'code_pools', 'request_log', 'audit_log'];

export async function fillWorkspace(
  url: string,
  wanted: { workspaceId: bigint; rows: number; at: Date },
): Promise<void> {
  const db = openDb({ url, applicationName: 'filling', queryTimeoutMs: 120_000 });
  const log = { name: 'request_log', unit: 'day', keep: 30, ahead: 7 } as const;
  const logged = Array.from({ length: days }, (_, day) => new Date(wanted.at.getTime() - day * dayMs));
  await ensurePartitions(db, log, logged);
  const needed = [wanted.workspaceId, wanted.rows, wanted.at.toISOString()];
  for (const fill of fills) await db.query(fill, needed);
  await db.query(`analyze ${largeTables.join(', ')}`);
  await db.end();
}
