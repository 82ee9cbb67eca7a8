// GET /api/items/all and /api/items/item (specification, section 4, rules 2 and 3).
import type { App } from '@counterfoil/kit/http/app';
import { isKnownEtag } from '@counterfoil/kit/http/headers';
import { idForm, integerForm } from '@counterfoil/kit/http/openapi/forms';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import { shownAs } from '@counterfoil/kit/http/openapi/schema-marks';
import { PrintableText } from '@counterfoil/kit/http/text';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ApiKeyParameter, type Authenticate, apiKeySecurity } from '../authentication/authenticate.ts';
import { fail } from '../errors.ts';
import { settleQuery } from '../parameters/parameters.ts';
import { MomentText, parseMoment } from '../wire/input.ts';
import { refuseField } from '../wire/refusals.ts';
import { ItemAnswer, presentItem } from './item.ts';
import { filterItems, type ItemLister, type ItemsAnswer, makeItemsAnswer } from './list-items.ts';
import { getPublishedItem } from './queries.ts';

const maxPerPage = 100;

const AllQuery = Type.Object({
  api_key: ApiKeyParameter,
  page: Type.Optional(shownAs(Type.String({ pattern: '^[1-9][0-9]{0,8}$' }), integerForm(1, 999_999_999))),
  per_page: Type.Optional(
    shownAs(
      Type.String({ pattern: '^([1-9][0-9]?|100)$', description: 'At most 100.' }),
      integerForm(1, maxPerPage),
    ),
  ),
  category: Type.Optional(PrintableText({ max: 200, description: 'Only items of this category.' })),
  updated_since: Type.Optional(MomentText('Only items that changed at this time or later; ISO 8601.')),
});

const ItemQuery = Type.Object({
  api_key: ApiKeyParameter,
  item_id: shownAs(Type.String({ pattern: '^0*[1-9][0-9]*$', description: 'A positive integer.' }), idForm),
});

const Meta = Type.Object(
  {
    total: Type.Integer({ description: 'The number of matching items.' }),
    page: Type.Integer(),
    per_page: Type.Integer(),
    total_pages: Type.Integer(),
  },
  { description: 'Present if the request has page, per_page, category or updated_since.' },
);

const Success = Type.Literal('success');
const notChanged = Type.Null({ description: 'Not changed: the client has the version with this ETag.' });
const refusals = { '4xx': ErrorAnswer, 503: ErrorAnswer };

interface Deps {
  readonly db: Db;
  readonly authenticate: Authenticate;
  readonly itemLister: ItemLister;
}

export function registerItemRoutes(app: App, deps: Deps): void {
  registerAll(app, deps);
  registerItem(app, deps);
}

function registerAll(app: App, { db, authenticate, itemLister }: Deps): void {
  const schema = {
    tags: ['Items'],
    summary: 'List the published items of the account',
    description: 'Newest id first. Returns all items unless a page is requested.',
    security: apiKeySecurity,
    querystring: AllQuery,
    response: {
      200: Type.Object({ status: Success, items: Type.Array(ItemAnswer), meta: Type.Optional(Meta) }),
      304: notChanged,
      ...refusals,
    },
  };
  const preValidation = [
    authenticate('items:read'),
    settleQuery(['page', 'per_page', 'category', 'updated_since']),
  ];
  app.get('/api/items/all', { schema, preValidation }, async (request, reply) => {
    const { workspaceId } = request.apiKey;
    const { page, per_page, category, updated_since } = request.query;
    const isPaged = page !== undefined || per_page !== undefined;
    const isFiltered = isPaged || category !== undefined || updated_since !== undefined;
    const answer = isFiltered
      ? await filterItems(
          db,
          { workspaceId, category, updatedSince: readSince(updated_since) },
          isPaged ? { page: Number(page ?? 1), perPage: Number(per_page ?? maxPerPage) } : undefined,
        )
      : (itemLister.peek(workspaceId) ?? (await itemLister.get(workspaceId)));
    if (!answer) throw fail('no_items');
    return sendWithEtag(request, reply, answer);
  });
}

function readSince(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const moment = parseMoment(text);
  if (!moment) throw refuseField('updated_since', 'must be an ISO 8601 time.');
  return moment;
}

function registerItem(app: App, { db, authenticate }: Deps): void {
  const schema = {
    tags: ['Items'],
    summary: 'Read one published item of the account',
    security: apiKeySecurity,
    querystring: ItemQuery,
    response: { 200: Type.Object({ status: Success, item: ItemAnswer }), 304: notChanged, ...refusals },
  };
  const preValidation = [authenticate('items:read'), settleQuery(['item_id'])];
  const config = { invalidParameterMsg: 'Item Not Found' };
  app.get('/api/items/item', { schema, preValidation, config }, async (request, reply) => {
    const item = await getPublishedItem(db, {
      workspaceId: request.apiKey.workspaceId,
      itemId: BigInt(request.query.item_id),
    });
    return sendWithEtag(request, reply, makeItemsAnswer({ status: 'success', item: presentItem(item) }));
  });
}

/**
 * The answers differ by key, so `vary` names the headers that can contain the key. A cache must ask the
 * service before it uses a stored answer.
 */
const headers = { 'cache-control': 'private, no-cache', vary: 'X-Api-Key, Authorization' };

function sendWithEtag(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag }: ItemsAnswer,
): FastifyReply {
  reply.headers({ ...headers, etag });
  if (isKnownEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(bytes);
}
