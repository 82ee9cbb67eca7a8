// Management of items, for programs with a key and for people with a session: create, edit, publish,
// withdraw, list, read, versions.
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Id } from '@counterfoil/kit/http/parameters';
import { PrintableText } from '@counterfoil/kit/http/text';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { type AccessPolicy, type ManagementDeps, managed } from '../../access-policy.ts';
import { getAccount } from '../../accounts/queries.ts';
import { NextCursor, PageQuery, readPage } from '../../wire/paging.ts';
import { refuseFields } from '../../wire/refusals.ts';
import { type Item, itemKinds, itemStates } from '../item.ts';
import {
  type ItemVersion,
  NewVersionInput,
  presentVersion,
  Version,
  VersionAnswer,
} from '../item-version.ts';
import type { ItemKey } from '../queries.ts';
import { addVersion, editItem, promoteVersion, publishItem, withdrawItem } from './change-item.ts';
import { createItem } from './create-item.ts';
import { ItemChangesInput, NewItemInput, readItemChanges } from './item-input.ts';
import { type CountCodes, ManagedItem, presentManagedItems } from './managed-item.ts';
import { getOwnItem, listOwnItems, listVersions } from './queries.ts';

interface Deps extends ManagementDeps {
  readonly publicUrl: string;
  readonly countCodes: CountCodes;
  /** Counts the active purchases of an item by the version that was downloaded last. */
  readonly countBuyers: (db: Queryable, key: ItemKey) => Promise<ReadonlyMap<string, number>>;
}

const common = { scope: 'items:write', tag: 'Items (management)' } as const;
const unchangeable = {
  state: 'is changed by POST …/publish and POST …/withdraw.',
  kind: 'is set when the item is created and cannot be changed.',
  version: 'is changed by POST …/versions.',
};
const settledLater = {
  state: 'is draft for a new item; POST …/publish changes it.',
  published_at: 'is set by POST …/publish.',
};
/** The scope, the tag and the answer schema of the routes that return one item. */
const oneItem = { ...common, data: Type.Object({ item: ManagedItem }) };
const ofItem = { ...oneItem, params: { item_id: Id } };

export function registerItemManagement(app: App, policy: AccessPolicy, deps: Deps): void {
  registerListAndRead(app, policy, deps);
  registerCreateAndEdit(app, policy, deps);
  registerStates(app, policy, deps);
  registerVersions(app, policy, deps);
}

async function presentOne({ db, countCodes }: Deps, item: Item) {
  const [presented] = await presentManagedItems(db, countCodes, [item]);
  return { item: presented as Static<typeof ManagedItem> };
}

const targetOf = (policy: AccessPolicy, deps: Deps, request: FastifyRequest) => ({
  caller: policy.callerOf(request),
  itemId: BigInt((request.params as { item_id: string }).item_id),
  now: deps.now(),
});

function registerListAndRead(app: App, policy: AccessPolicy, deps: Deps): void {
  const { db } = deps;
  const data = Type.Object({ items: Type.Array(ManagedItem), next_cursor: NextCursor });
  const list = managed(
    policy,
    { ...common, summary: 'List items, newest first', data },
    {
      querystring: Type.Object({
        ...PageQuery,
        search: Type.Optional(
          PrintableText({ min: 1, max: 100, description: 'A part of the name, or a whole tag.' }),
        ),
        state: Type.Optional(Type.Enum([...itemStates])),
        kind: Type.Optional(Type.Enum([...itemKinds])),
      }),
    },
  );
  app.get(`${policy.prefix}/items`, list, async (request) => {
    const { workspaceId } = policy.callerOf(request);
    const { search, state, kind } = request.query;
    const page = readPage(request.query);
    const found = await listOwnItems(db, { workspaceId, search, state, kind }, page);
    const next = found.nextId === undefined ? {} : { next_cursor: String(found.nextId) };
    const items = await presentManagedItems(db, deps.countCodes, found.items);
    return answer(request, { items, ...next });
  });

  const read = managed(policy, { ...ofItem, summary: 'Read an item in any state' });
  app.get(`${policy.prefix}/items/:item_id`, read, async (request) => {
    const { workspaceId } = policy.callerOf(request);
    const item = await getOwnItem(db, { workspaceId, itemId: BigInt(request.params.item_id) });
    return answer(request, await presentOne(deps, item));
  });
}

function registerCreateAndEdit(app: App, policy: AccessPolicy, deps: Deps): void {
  const { db } = deps;
  const creating = managed(policy, { ...oneItem, summary: 'Create a draft' }, { body: NewItemInput });
  const create = { ...creating, preValidation: refuseFields(settledLater) };
  app.post(`${policy.prefix}/items`, create, async (request) => {
    const { workspaceId, actor } = policy.callerOf(request);
    const { kind, name, version } = request.body;
    const item = await db.transaction(async (tx) => {
      const { currency: own } = await getAccount(tx, workspaceId);
      const currency = request.body.currency ?? own;
      const fields = readItemChanges(request.body, { currency });
      const draft = { currency, ...fields, ...(version && { version }), workspaceId, kind, name };
      const itemId = await createItem(tx, draft, deps.now(), actor);
      return getOwnItem(tx, { workspaceId, itemId });
    });
    return answer(request, await presentOne(deps, item));
  });

  const route = { ...ofItem, summary: 'Change fields of an item' };
  const editing = managed(policy, route, { body: ItemChangesInput });
  const edit = { ...editing, preValidation: refuseFields(unchangeable) };
  app.patch(`${policy.prefix}/items/:item_id`, edit, async (request) => {
    const target = { ...targetOf(policy, deps, request), publicUrl: deps.publicUrl };
    const read = (item: { currency: string }) => readItemChanges(request.body, item);
    const item = await db.transaction((tx) => editItem(tx, target, read));
    return answer(request, await presentOne(deps, item));
  });
}

function registerStates(app: App, policy: AccessPolicy, deps: Deps): void {
  const verbs = [
    { path: 'publish', verb: publishItem, summary: 'Publish a draft or withdrawn item' },
    { path: 'withdraw', verb: withdrawItem, summary: 'Take a published item off the list' },
  ];
  for (const { path, verb, summary } of verbs) {
    app.post(
      `${policy.prefix}/items/:item_id/${path}`,
      managed(policy, { ...ofItem, summary }),
      async (request) => {
        const target = targetOf(policy, deps, request);
        const item = await deps.db.transaction((tx) => verb(tx, target));
        return answer(request, await presentOne(deps, item));
      },
    );
  }
}

function registerVersions(app: App, policy: AccessPolicy, deps: Deps): void {
  const { db } = deps;
  const path = `${policy.prefix}/items/:item_id/versions`;
  const add = managed(policy, { ...ofItem, summary: 'Add a newer version' }, { body: NewVersionInput });
  app.post(path, add, async (request) => {
    const target = targetOf(policy, deps, request);
    const { requires_php: requiresPhp = '', ...given } = request.body;
    const item = await db.transaction((tx) => addVersion(tx, target, { ...given, requiresPhp }));
    return answer(request, await presentOne(deps, item));
  });

  const params = { ...ofItem.params, version: Version };
  const promote = managed(policy, { ...ofItem, params, summary: 'Move a beta to the channel `stable`' });
  app.post(`${path}/:version/promote`, promote, async (request) => {
    const target = targetOf(policy, deps, request);
    const { version } = request.params;
    const item = await db.transaction((tx) => promoteVersion(tx, target, version));
    return answer(request, await presentOne(deps, item));
  });

  const data = Type.Object({ versions: Type.Array(VersionAnswer) });
  const summary = 'List versions and their files, newest first';
  const list = managed(policy, { ...ofItem, summary, data });
  app.get(path, list, async (request) => {
    const { workspaceId } = policy.callerOf(request);
    const itemId = BigInt(request.params.item_id);
    const versions = await listVersions(db, { workspaceId, itemId });
    const buyers = await deps.countBuyers(db, { workspaceId, itemId });
    const present = (each: ItemVersion) => ({
      ...presentVersion(each),
      buyers: buyers.get(each.version) ?? 0,
    });
    return answer(request, { versions: versions.map(present) });
  });
}
