// Routes that create, fill and empty pools of codes, for programs with a key and for people with a session.
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Id } from '@counterfoil/kit/http/parameters';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type AccessPolicy, type ManagementDeps, managed } from '../access-policy.ts';
import { presentWholePurchase, WholePurchase } from '../purchases/management/managed-purchase.ts';
import { IdempotencyHeaders } from '../purchases/management/purchase-input.ts';
import { NextCursor, PageQuery, presentNext, readPage } from '../wire/paging.ts';
import { changePool, PoolChangeInput } from './change-pool.ts';
import { createPool, NewPoolInput } from './create-pool.ts';
import { type DrawCode, DrawInput } from './draw-code.ts';
import { importCodes, RefusedCode } from './import-codes.ts';
import { maxFreeCodes, maxGenerated, maxImported, PoolAnswer, presentPool } from './pool.ts';
import { getPool, listPools } from './queries.ts';
import { refillPool } from './refill-pool.ts';
import { withdrawPool } from './withdraw-pool.ts';

type Deps = ManagementDeps & { readonly draw: DrawCode };

const common = { scope: 'purchases:write', tag: 'Pools (management)' } as const;
const ofPool = { ...common, params: { pool_id: Id } };
const onePool = Type.Object({ pool: PoolAnswer });

export function registerPoolManagement(app: App, policy: AccessPolicy, deps: Deps): void {
  registerList(app, policy, deps);
  registerCreation(app, policy, deps);
  registerOne(app, policy, deps);
  registerRefill(app, policy, deps);
  registerImport(app, policy, deps);
  registerDraw(app, policy, deps);
  registerWithdrawal(app, policy, deps);
}

const targetOf = (policy: AccessPolicy, deps: Deps, request: FastifyRequest) => ({
  caller: policy.callerOf(request),
  poolId: BigInt((request.params as { pool_id: string }).pool_id),
  now: deps.now(),
});

function registerList(app: App, policy: AccessPolicy, { db }: Deps): void {
  const data = Type.Object({
    pools: Type.Array(PoolAnswer, { description: 'The pools.' }),
    next_cursor: NextCursor,
  });
  const route = { ...common, summary: 'List pools of codes, newest first', data };
  const options = managed(policy, route, {
    querystring: Type.Object({ ...PageQuery, item_id: Type.Optional(Id) }),
  });
  app.get(`${policy.prefix}/pools`, options, async (request) => {
    const { workspaceId } = policy.callerOf(request);
    const { item_id } = request.query;
    const page = readPage(request.query);
    const filter = { workspaceId, itemId: item_id === undefined ? undefined : BigInt(item_id) };
    const pools = await listPools(db, filter, page);
    const next = presentNext(page, pools, (pool) => [pool.id]);
    return answer(request, { pools: pools.map(presentPool), ...next });
  });
}

function registerCreation(app: App, policy: AccessPolicy, { db, now }: Deps): void {
  const route = { ...common, summary: 'Create a pool of codes', data: onePool };
  const options = managed(policy, route, { body: NewPoolInput });
  app.post(`${policy.prefix}/pools`, options, async (request) => {
    const creation = { caller: policy.callerOf(request), input: request.body, now: now() };
    const pool = await db.transaction((tx) => createPool(tx, creation));
    return answer(request, { pool: presentPool(pool) });
  });
}

function registerOne(app: App, policy: AccessPolicy, deps: Deps): void {
  const path = `${policy.prefix}/pools/:pool_id`;
  const reading = managed(policy, { ...ofPool, summary: 'Read a pool of codes', data: onePool });
  app.get(path, reading, async (request) => {
    const { workspaceId } = policy.callerOf(request);
    const pool = await getPool(deps.db, { workspaceId, poolId: BigInt(request.params.pool_id) });
    return answer(request, { pool: presentPool(pool) });
  });
  const route = { ...ofPool, summary: 'Change the name or the threshold of a pool', data: onePool };
  const changing = managed(policy, route, { body: PoolChangeInput });
  app.patch(path, changing, async (request) => {
    const target = targetOf(policy, deps, request);
    const pool = await deps.db.transaction((tx) => changePool(tx, target, request.body));
    return answer(request, { pool: presentPool(pool) });
  });
}

function registerRefill(app: App, policy: AccessPolicy, deps: Deps): void {
  const data = Type.Object({
    pool: PoolAnswer,
    generated: Type.Integer({ description: 'The number of generated codes.' }),
    missing: Type.Integer({ description: 'The number of codes that are still missing.' }),
  });
  const route = { ...ofPool, summary: 'Generate codes until the pool has enough', data };
  const options = managed(policy, route, {
    description:
      `One request generates at most ${maxGenerated} codes. Repeat the request until \`missing\` is 0. ` +
      `An item can have ${maxFreeCodes} free codes.`,
    body: Type.Object({
      free: Type.Integer({
        minimum: 1,
        maximum: maxFreeCodes,
        description: 'The number of free codes that the pool has afterwards.',
      }),
    }),
  });
  app.post(`${policy.prefix}/pools/:pool_id/refill`, options, async (request) => {
    const { free } = request.body;
    const { pool, ...counts } = await refillPool(deps, { ...targetOf(policy, deps, request), free });
    return answer(request, { pool: presentPool(pool), ...counts });
  });
}

function registerImport(app: App, policy: AccessPolicy, deps: Deps): void {
  const { db, masterKey } = deps;
  const data = Type.Object({
    pool: PoolAnswer,
    added: Type.Integer({ description: 'The number of added codes.' }),
    refused: Type.Array(RefusedCode, { description: 'The codes that were not added.' }),
  });
  const route = { ...ofPool, summary: 'Add codes of your own to a pool', data };
  const options = managed(policy, route, {
    description:
      'Codes that exist already are refused one by one, and the other codes are added. So the request can ' +
      'be repeated.',
    body: Type.Object({
      codes: Type.Array(Type.String({ maxLength: 200 }), {
        minItems: 1,
        maxItems: maxImported,
        description: 'The codes, each with 1 to 128 printable characters.',
      }),
    }),
  });
  app.post(`${policy.prefix}/pools/:pool_id/codes`, options, async (request) => {
    const target = { ...targetOf(policy, deps, request), codes: request.body.codes };
    const { pool, ...result } = await db.transaction((tx) => importCodes(tx, masterKey, target));
    return answer(request, { pool: presentPool(pool), ...result, refused: [...result.refused] });
  });
}

function registerDraw(app: App, policy: AccessPolicy, deps: Deps): void {
  const { masterKey, draw } = deps;
  const data = Type.Object({ purchase: WholePurchase });
  const route = { ...ofPool, summary: 'Hand out the next free code as a purchase', data };
  const options = managed(policy, route, {
    description:
      'The purchase is like one of `POST /purchases`, with the terms of the pool. Safe to repeat with the ' +
      'same `Idempotency-Key`: the same content returns the same purchase and its code.',
    headers: IdempotencyHeaders(
      'Your own name for this draw, such as the number of the order. Without it, a repeated request hands ' +
        'out a second code.',
    ),
    body: DrawInput,
  });
  app.post(`${policy.prefix}/pools/:pool_id/draw`, options, async (request) => {
    const idempotencyKey = request.headers['idempotency-key'];
    const purchase = await draw({ ...targetOf(policy, deps, request), input: request.body, idempotencyKey });
    return answer(request, { purchase: presentWholePurchase(masterKey, purchase) });
  });
}

function registerWithdrawal(app: App, policy: AccessPolicy, deps: Deps): void {
  const data = Type.Object({
    pool: PoolAnswer,
    withdrawn: Type.Integer({ description: 'The number of withdrawn codes.' }),
  });
  const route = { ...ofPool, summary: 'Withdraw the free codes of a pool; this is final', data };
  const options = managed(policy, route, {
    description:
      'For codes that leaked before they were handed out. Withdrawn codes are never handed out. Codes that ' +
      'were handed out stay valid, and the pool can get new codes.',
  });
  app.post(`${policy.prefix}/pools/:pool_id/withdraw`, options, async (request) => {
    const { pool, withdrawn } = await withdrawPool(deps.db, targetOf(policy, deps, request));
    return answer(request, { pool: presentPool(pool), withdrawn });
  });
}
