// Creates the demo's packages and players once, in an empty database. All money of the demo comes from
// movements.
import { randomBytes } from 'node:crypto';
import { createPersonWithPassword, isPerson } from '@counterfoil/identity/members/people';
import { type MasterKey, makeSecret } from '@counterfoil/kit/crypto/secrets';
import { getDecimals, parseMinor, type Unit } from '@counterfoil/kit/money';
import { asPartOf, type Db, type Tx } from '@counterfoil/kit/postgres/db';
import { findDemoCredentials, markAsDemo } from '@counterfoil/kit/postgres/service-facts';
import { createLedgerWithin, type Ledger } from '../ledger/engine/ledger.ts';
import { topUp, transfer } from '../ledger/transfer.ts';
import { createPackage, type NewPackage } from '../packages/credentials/issue-package.ts';
import { hasPackages } from '../packages/queries.ts';
import { platformTenant } from '../platform.ts';
import { createPlayer } from '../players/create-player.ts';
import type { PlayerStatus } from '../players/player.ts';
import { createDemoConnections, type DemoCredentials } from './demo-connections.ts';
import { seedRounds } from './seed-rounds.ts';

interface DemoPlayer {
  readonly playerId: string;
  readonly name: string;
  readonly status?: PlayerStatus;
  /** The amounts of the player's credits in order. A debit has a minus sign. */
  readonly history: readonly string[];
}

interface DemoPackage extends Omit<NewPackage, 'alertThreshold' | 'state'> {
  /** The state of the package; `approved` by default. */
  readonly state?: NewPackage['state'];
  readonly topUps: readonly string[];
  readonly threshold?: string;
  readonly players: readonly DemoPlayer[];
}

const funded = '1000000000.00';

const playersOfAurora: DemoPlayer[] = [
  { playerId: 'player-1', name: 'Ines Duarte', history: ['500.00', '-120.50', '0.07'] },
  { playerId: 'player-2', name: 'Jonas Falk', history: ['1000.00', '19.99', '-4.49'] },
  { playerId: 'player-3', name: 'Priya Nair', history: ['400.00'] },
  { playerId: 'player-blocked', name: 'Rui Alves', status: 'blocked', history: [] },
  { playerId: 'player-empty', name: 'Nora Lind', history: [] },
];

const packages: DemoPackage[] = [
  {
    name: 'Aurora Play',
    currency: 'EUR',
    domains: ['aurora.example', '*.aurora.example'],
    topUps: [funded, '1795.07'],
    players: playersOfAurora,
  },
  {
    name: 'Bluefin Games',
    currency: 'USD',
    domains: ['bluefin.example'],
    sharedLaunch: true,
    topUps: [funded, '350.00'],
    players: [
      { playerId: 'player-1', name: 'Ola Berg', history: ['250.00'] },
      { playerId: 'amy@bluefin.example', name: 'Amy Stone', history: ['200.00', '-100.00'] },
    ],
  },
  {
    name: 'Corner Casino',
    currency: 'EUR',
    domains: ['corner.example'],
    threshold: '100.00',
    topUps: ['65.00'],
    players: [{ playerId: 'player-1', name: 'Luc Petit', history: ['25.00'] }],
  },
  {
    name: 'Dawn Slots',
    currency: 'EUR',
    state: 'pending',
    domains: ['dawn.example'],
    topUps: [],
    players: [],
  },
  {
    name: 'Ember Arcade',
    currency: 'GBP',
    state: 'suspended',
    domains: ['ember.example'],
    topUps: ['5000.00'],
    players: [{ playerId: 'player-1', name: 'Tom Hale', history: ['75.25'] }],
  },
  {
    name: 'Fjord Spins (signed)',
    currency: 'EUR',
    domains: ['fjord.example'],
    callbackSecurity: 'signed',
    topUps: [funded, '150.00'],
    players: [{ playerId: 'player-1', name: 'Kari Moe', history: ['150.00'] }],
  },
  {
    name: 'Glacier Live (encrypted)',
    currency: 'EUR',
    domains: ['glacier.example'],
    callbackSecurity: 'encrypted',
    topUps: [funded, '150.00'],
    players: [{ playerId: 'player-1', name: 'Elin Dahl', history: ['150.00'] }],
  },
];

/**
 * The package for connections to providers that send amounts in hundred-thousandths. The demo of version 0.1
 * did not have this package.
 */
const finePackage: DemoPackage = {
  name: 'Halcyon Casino',
  currency: 'EUR',
  decimals: 5,
  domains: ['halcyon.example'],
  topUps: [funded, '1795.07'],
  players: playersOfAurora,
};

/** Creates the demo in an empty database, and completes a demo of an earlier version. */
export async function seedDemo(db: Db, masterKey: MasterKey): Promise<void> {
  await db.transaction(async (tx) => {
    // Two processes may start at the same time. The second process waits for this lock and then finds the
    // demo complete.
    await tx.query('select pg_advisory_xact_lock(4200)');
    const known = (await findDemoCredentials(tx, masterKey)) as DemoCredentials | undefined;
    if (known && !known.connections) await seedConnections(tx, masterKey, known);
    if (known || (await hasPackages(tx))) return;
    const admin = { email: 'admin@counterfoil.example', password: makePassword() };
    await createPersonWithPassword(tx, {
      ...admin,
      name: 'Platform administrator',
      memberships: [{ tenantId: platformTenant, role: 'administrator' }],
    });
    const issued = [];
    for (const demo of packages) issued.push(await seedPackage(tx, masterKey, demo));
    await seedConnections(tx, masterKey, { admin, packages: issued });
  });
}

/** Adds a package and the connections to the demo, and stores the completed credentials. */
async function seedConnections(tx: Tx, masterKey: MasterKey, known: DemoCredentials): Promise<void> {
  const last = await seedPackage(tx, masterKey, finePackage);
  const packages = [...known.packages, last];
  const [first = last] = packages;
  const connections = await createDemoConnections(tx, masterKey, { first: first.uid, last: last.uid });
  await markAsDemo(tx, masterKey, { ...known, packages, connections });
}

const makePassword = () => makeSecret('').slice(0, 20);

async function seedPackage(tx: Tx, masterKey: MasterKey, demo: DemoPackage) {
  const { currency, threshold = '0', state = 'approved', ...wanted } = demo;
  const unit = { currency, decimals: demo.decimals ?? getDecimals(currency) };
  const alertThreshold = minorOf(threshold, unit);
  const issued = await createPackage(tx, masterKey, { ...wanted, currency, state, alertThreshold });
  const [domain] = demo.domains;
  const email = await findFreeEmail(tx, `ops@${domain}`);
  const password = makePassword();
  await createPersonWithPassword(tx, {
    email,
    name: `${demo.name} operations`,
    password,
    memberships: [{ tenantId: BigInt(issued.id), role: 'owner' }],
  });
  const ledger = createLedgerWithin(tx);
  for (const [index, amount] of demo.topUps.entries()) {
    await topUp(ledger, {
      packageId: issued.id,
      overdraftLimit: 0n,
      type: 'top_up',
      amount: minorOf(amount, unit),
      transactionId: `opening-${index + 1}`,
      note: 'Opening credit',
    });
  }
  for (const [index, player] of demo.players.entries()) {
    const account = await seedPlayer(tx, ledger, { packageId: issued.id, unit, player });
    const { playerId } = player;
    const first = { packageId: issued.id, account, playerId, unit: minorOf('1', unit) };
    if (index === 0 && state === 'approved') await seedRounds(ledger, first);
  }
  return {
    name: demo.name,
    state,
    email,
    password,
    uid: issued.uid,
    api_key: issued.caller.apiKey,
    api_secret: issued.caller.apiSecret,
    callback_key: issued.callback.apiKey,
    callback_secret: issued.callback.apiSecret,
    callback_security: demo.callbackSecurity ?? 'headers',
    shared_launch: demo.sharedLaunch ?? false,
    aes_key: issued.aesKey,
    domain,
    currency,
  };
}

/**
 * Returns a free e-mail address for a demo person. In a demo of an earlier version, another person may
 * already have the given address.
 */
async function findFreeEmail(tx: Tx, email: string): Promise<string> {
  return (await isPerson(tx, email)) ? email.replace('@', `-${randomBytes(4).toString('hex')}@`) : email;
}

async function seedPlayer(
  tx: Tx,
  ledger: Ledger,
  given: { packageId: number; unit: Unit; player: DemoPlayer },
): Promise<bigint> {
  const { packageId, player, unit } = given;
  const { history, ...wanted } = player;
  const made = await createPlayer(asPartOf(tx), { packageId, ...wanted }, new Date());
  for (const [index, amount] of history.entries()) {
    await transfer(ledger, {
      packageId,
      overdraftLimit: 0n,
      account: made.player.accountId,
      type: amount.startsWith('-') ? 'debit' : 'credit',
      amount: minorOf(amount.replace('-', ''), unit),
      transactionId: `demo-${player.playerId}-${index + 1}`,
      note: '',
    });
  }
  return made.player.accountId;
}

function minorOf(amount: string, unit: Unit): bigint {
  const minor = parseMinor(amount, unit);
  if (minor === undefined) throw new Error(`${amount} is no amount of ${unit.currency}`);
  return minor;
}
