// Inserts and selects rows of `request_log`.
import {
  bigintColumn,
  binaryTextColumn,
  integerColumn,
  realColumn,
  timeColumn,
} from '@counterfoil/kit/postgres/binary-columns';
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { queryRows } from '@counterfoil/kit/postgres/rows';
import type { LoggedRequest, NewRequest } from './logged-request.ts';

export async function insertRequestRows(
  tx: Tx,
  workspaceId: bigint,
  lines: readonly NewRequest[],
): Promise<void> {
  await tx.query({
    name: 'insert_request_rows',
    // The status is sent as an integer, so that PostgreSQL refuses a number that does not fit a smallint. A
    // binary column of smallint would change such a number without an error.
    text: `insert into request_log (workspace_id, at, api_key_id, request_id, address, method,
             route, status, code, duration_ms, item_id, code_hint, page_origin)
           select $1, * from unnest($2::timestamptz[], $3::bigint[], $4::text[], $5::text[],
             $6::text[], $7::text[], $8::integer[], $9::text[], $10::real[], $11::bigint[],
             $12::text[], $13::text[])`,
    values: [workspaceId, ...encodeLines(lines)],
  });
}

/** Returns one binary array per column, in the order of the statement's parameters. */
function encodeLines(lines: readonly NewRequest[]): Buffer[] {
  const at = timeColumn();
  const apiKeyId = bigintColumn();
  const requestId = binaryTextColumn();
  const address = binaryTextColumn();
  const method = binaryTextColumn();
  const route = binaryTextColumn();
  const status = integerColumn();
  const code = binaryTextColumn();
  const durationMs = realColumn();
  const itemId = bigintColumn();
  const codeHint = binaryTextColumn();
  const pageOrigin = binaryTextColumn();
  for (const line of lines) {
    at.push(line.at);
    apiKeyId.push(line.apiKeyId);
    requestId.push(line.requestId);
    address.push(line.address);
    method.push(line.method);
    route.push(line.route);
    status.push(line.status);
    code.push(line.code ?? '');
    durationMs.push(line.durationMs);
    itemId.push(line.itemId);
    codeHint.push(line.codeHint ?? '');
    pageOrigin.push(line.pageOrigin ?? '');
  }
  const columns = [at, apiKeyId, requestId, address, method, route, status, code, durationMs, itemId];
  return [...columns, codeHint, pageOrigin].map((column) => column.value());
}

export interface RequestFilter {
  readonly workspaceId: bigint;
  readonly from: Date;
  readonly to: Date;
  /** The lowest and the highest status, such as 400 and 499. */
  readonly status: { readonly least: number; readonly most: number } | undefined;
  readonly code: string | undefined;
  readonly route: string | undefined;
  readonly apiKeyId: bigint | undefined;
  /** Whether to select only requests in which a web page sent a secret key. */
  readonly fromPage: boolean;
  readonly before: { readonly at: Date; readonly id: bigint } | undefined;
  readonly limit: number;
}

/**
 * The statement contains only the given filters, so that PostgreSQL can use the indexes for these filters.
 */
export function selectRequests(db: Queryable, filter: RequestFilter) {
  const values: unknown[] = [filter.workspaceId, filter.from, filter.to, filter.limit];
  const conditions: string[] = [];
  const add = (condition: (...parameters: string[]) => string, ...given: unknown[]) => {
    conditions.push(`and ${condition(...given.map((value) => `$${values.push(value)}`))}`);
  };
  const { status, before } = filter;
  if (status) add((least, most) => `status between ${least} and ${most}`, status.least, status.most);
  // The partial indexes over failures are small. The planner uses them only if the statement contains exactly
  // these conditions.
  if ((status && status.least >= 400) || filter.code !== undefined) add(() => 'status >= 400');
  if (status && status.least >= 500) add(() => 'status >= 500');
  if (filter.code !== undefined) add((code) => `code = ${code}`, filter.code);
  if (filter.route !== undefined) add((route) => `route = ${route}`, filter.route);
  if (filter.apiKeyId !== undefined) add((key) => `api_key_id = ${key}`, filter.apiKeyId);
  if (filter.fromPage) add(() => `page_origin <> ''`);
  if (before) add((at, id) => `(at, id) < (${at}, ${id})`, before.at, before.id);
  return queryRows<Omit<LoggedRequest, 'isTest'>>(
    db,
    `select id, at, api_key_id, request_id, address, method, route, status, duration_ms, item_id,
       nullif(code, '') as code, nullif(code_hint, '') as code_hint,
       nullif(page_origin, '') as page_origin
     from request_log where workspace_id = $1 and at >= $2 and at < $3 ${conditions.join(' ')}
     order by at desc, id desc limit $4`,
    values,
  );
}
