// The demo's workspaces, made once in an empty database, in one transaction with their credentials.
import type { Db, Tx } from '@counterfoil/kit/db';
import { markAsDemo } from '@counterfoil/kit/demo-mark';
import { type MasterKey, makeSecret } from '@counterfoil/kit/secrets';
import { createPersonWithPassword } from '@counterfoil/kit/sign-in/create-person';
import { readScopes, writeScopes } from './api-keys/api-key.ts';
import { insertApiKey } from './api-keys/insert-api-key.ts';
import { createWorkspace, type NewWorkspace } from './workspaces/create-workspace.ts';
import { isEmptyOfWorkspaces } from './workspaces/is-empty-of-workspaces.ts';

const dayMs = 86_400_000;

const sellers: NewWorkspace[] = [
  {
    name: 'Paperlane Themes',
    account: {
      firstname: 'Ada',
      lastname: 'Lindqvist',
      username: 'paperlane',
      email: 'ada@paperlane.example',
      balanceMinor: 128_450n,
      currency: 'USD',
      heading: 'Quiet, fast themes for people who write',
      description: 'Themes and graphics from a studio of three in Malmö, since 2016.',
      contactEmail: 'support@paperlane.example',
      socialLinks: {
        github: 'https://github.example/paperlane',
        mastodon: 'https://social.example/@paperlane',
      },
      avatarUrl: 'https://media.paperlane.example/avatar.png',
      coverUrl: 'https://media.paperlane.example/cover.jpg',
      registeredAt: new Date('2016-03-14T09:26:53Z'),
    },
  },
  {
    name: 'Nightjar Audio',
    account: {
      firstname: 'Tomás',
      lastname: 'Reyes',
      username: 'nightjar',
      email: 'tomas@nightjar.example',
      balanceMinor: 9_907n,
      currency: 'EUR',
      heading: 'Loops and motion for the small hours',
      description: 'Royalty-free sound and footage.',
      contactEmail: 'hello@nightjar.example',
      registeredAt: new Date('2021-11-02T22:10:00Z'),
    },
  },
  {
    name: 'One Good Plugin',
    account: {
      firstname: 'Mei',
      lastname: 'Tanaka',
      username: 'onegood',
      email: 'mei@onegood.example',
      balanceMinor: 54_000n,
      currency: 'JPY',
      registeredAt: new Date('2024-01-20T03:00:00Z'),
    },
  },
  {
    name: 'Just Arrived',
    account: { username: 'justarrived', email: 'sam@justarrived.example', currency: 'GBP' },
  },
  {
    name: 'Window Shopper',
    account: {
      username: 'windowshopper',
      email: 'kim@windowshopper.example',
      currency: 'USD',
      isSeller: false,
    },
  },
];

/** Does nothing where any workspace stands already. */
export async function seedDemo(db: Db, masterKey: MasterKey): Promise<void> {
  await db.transaction(async (tx) => {
    // Two processes may start at once; the second finds the first one's work done.
    await tx.query('select pg_advisory_xact_lock(4100)');
    if (!(await isEmptyOfWorkspaces(tx))) return;
    const workspaces = [];
    for (const [index, seller] of sellers.entries()) {
      workspaces.push(await seedWorkspace(tx, masterKey, { seller, isFirst: index === 0 }));
    }
    await markAsDemo(tx, masterKey, { workspaces });
  });
}

async function seedWorkspace(
  tx: Tx,
  masterKey: MasterKey,
  { seller, isFirst }: { seller: NewWorkspace; isFirst: boolean },
) {
  const workspaceId = await createWorkspace(tx, seller);
  const password = makeSecret('').slice(0, 20);
  const { email, firstname = '', lastname = '' } = seller.account;
  await createPersonWithPassword(tx, {
    email,
    name: `${firstname} ${lastname}`.trim() || seller.name,
    password,
    memberships: [{ tenantId: workspaceId, role: 'owner' }],
  });
  const key = (name: string, dates: { expiresAt?: Date; revokedAt?: Date } = {}) =>
    insertApiKey(tx, masterKey, {
      workspaceId,
      name,
      kind: 'secret',
      scopes: [...readScopes, ...writeScopes],
      ...dates,
    });
  const live = await key('Website');
  const past = new Date(Date.now() - dayMs);
  return {
    name: seller.name,
    email,
    password,
    api_key: live.secret,
    publishable_key: null,
    revoked_key: isFirst ? (await key('Old shop', { revokedAt: past })).secret : null,
    expired_key: isFirst ? (await key('Trial', { expiresAt: past })).secret : null,
    items: [],
    purchases: [],
  };
}
