// Creates the workspaces of the demo with their credentials, once, in an empty database.
import { createPersonWithPassword } from '@counterfoil/identity/members/people';
import { type MasterKey, makeSecret } from '@counterfoil/kit/crypto/secrets';
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import { markAsDemo } from '@counterfoil/kit/postgres/service-facts';
import { createWorkspace, type NewWorkspace } from '../accounts/create-workspace.ts';
import { insertApiKey, type NewApiKey } from '../api-keys/insert-api-key.ts';
import { allScopes } from '../authentication/api-key.ts';
import { hasWorkspaces } from '../workspaces/queries.ts';
import { catalogues } from './catalogues.ts';
import { demoMediaAddress } from './list-demo-media.ts';
import { type SeededItem, seedItems } from './seed-items.ts';
import { seedPurchases } from './seed-purchases.ts';
import { sellers } from './sellers.ts';

const dayMs = 86_400_000;

interface Deps {
  readonly masterKey: MasterKey;
  readonly filesDir: string;
  readonly publicUrl: string;
}

/** Creates the demo's data. Does nothing if any workspace exists. */
export async function seedDemo(db: Db, deps: Deps): Promise<void> {
  await db.transaction(async (tx) => {
    // Two processes may start at the same time. The lock makes the second process wait until the first
    // process has created the data.
    await tx.query('select pg_advisory_xact_lock(4100)');
    if (await hasWorkspaces(tx)) return;
    const workspaces = [];
    for (const [index, seller] of sellers.entries())
      workspaces.push(await seedWorkspace(tx, deps, { seller, index }));
    await markAsDemo(tx, deps.masterKey, { workspaces });
  });
}

async function seedWorkspace(tx: Tx, deps: Deps, { seller, index }: { seller: NewWorkspace; index: number }) {
  const { publicUrl } = deps;
  const workspaceId = await createWorkspace(tx, addPictureUrls(seller, publicUrl));
  const now = new Date();
  const person = await seedOwner(tx, { workspaceId, seller });
  const items = await seedItems(tx, deps, {
    workspaceId,
    seller,
    publicUrl,
    catalogue: catalogues[index] ?? [],
    now,
  });
  const purchases = await seedPurchases(tx, deps.masterKey, { workspaceId, items, now });
  const keys = await seedKeys(tx, deps.masterKey, { workspaceId, items, isFirst: index === 0 });
  return {
    name: seller.name,
    ...person,
    ...keys,
    items: items.map(({ id, kind, published }) => ({ id: Number(id), kind, published })),
    purchases,
  };
}

/** Replaces the file names of the seller's pictures by URLs of the service. */
function addPictureUrls(seller: NewWorkspace, publicUrl: string): NewWorkspace {
  const { username = '', avatarUrl, coverUrl } = seller.account;
  const address = (name: string) => demoMediaAddress(publicUrl, { seller: username, name });
  return {
    ...seller,
    account: {
      ...seller.account,
      ...(avatarUrl && { avatarUrl: address(avatarUrl) }),
      ...(coverUrl && { coverUrl: address(coverUrl) }),
    },
  };
}

async function seedOwner(tx: Tx, { workspaceId, seller }: { workspaceId: bigint; seller: NewWorkspace }) {
  const password = makeSecret('').slice(0, 20);
  const { email, firstname = '', lastname = '' } = seller.account;
  await createPersonWithPassword(tx, {
    email,
    name: `${firstname} ${lastname}`.trim() || seller.name,
    password,
    memberships: [{ tenantId: workspaceId, role: 'owner' }],
  });
  return { email, password };
}

async function seedKeys(
  tx: Tx,
  masterKey: MasterKey,
  given: { workspaceId: bigint; items: readonly SeededItem[]; isFirst: boolean },
) {
  const { workspaceId, isFirst } = given;
  const past = new Date(Date.now() - dayMs);
  const insert = async (key: Omit<NewApiKey, 'workspaceId'>) =>
    (await insertApiKey(tx, masterKey, { ...key, workspaceId })).secret;
  const secret = (name: string, dates: { expiresAt?: Date; revokedAt?: Date } = {}) =>
    insert({ name, kind: 'secret', scopes: allScopes, ...dates });
  const publishable = {
    name: 'In buyers\u2019 sites',
    kind: 'publishable',
    scopes: ['purchases:validate'],
  } as const;
  const [first] = given.items;
  return {
    api_key: await secret('Website'),
    publishable_key: first ? await insert({ ...publishable, itemId: first.id }) : null,
    revoked_key: isFirst ? await secret('Old shop', { revokedAt: past }) : null,
    expired_key: isFirst ? await secret('Trial', { expiresAt: past }) : null,
  };
}
