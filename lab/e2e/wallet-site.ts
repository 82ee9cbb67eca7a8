// Starts a wallet service and the stand-in provider on free ports, with a browser for the panel.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@counterfoil/kit/observability/logging';
import { findFreePort } from '@counterfoil/kit/testing/free-port';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { buildProvider } from '../../services/provider/src/app.ts';
import { startRegistrar } from '../../services/wallet/server/src/packages/registration/registrar.ts';
import {
  type Given,
  type GivenPackage,
  givenWallet,
} from '../../services/wallet/server/test/environment/given.ts';
import {
  giveAdministrator,
  giveMember,
  password,
} from '../../services/wallet/server/test/environment/people.ts';
import { type Browsing, describeWithSite, type Person, withBrowser } from './browsing.ts';
import { controlClock, type SiteClock } from './site-clock.ts';

export interface WalletSite extends BareWallet {
  readonly of: GivenPackage;
  /** The path of the package's pages. */
  readonly base: string;
  readonly owner: Person;
  readonly member: Person;
  readonly administrator: Person;
  /** Sends a callback with the package's callback pair. */
  callback(body: object): Promise<{ status: number }>;
}

async function openProvider() {
  const port = await findFreePort();
  const dataDir = await mkdtemp(join(tmpdir(), 'counterfoil-e2e-'));
  const origin = `http://127.0.0.1:${port}`;
  const tokens = { apiToken: 'api-token-of-the-stories', controlToken: 'control-of-the-stories' };
  const logger = createLogger({ service: 'provider', level: 'silent' });
  // A launch link stays valid for an hour, because a slow browser may open the game late.
  const linkMs = 3_600_000;
  const app = await buildProvider({ logger, dataDir, siteUrl: origin, linkMs, ...tokens });
  await app.listen({ host: '127.0.0.1', port });
  const close = async () => {
    app.server.closeAllConnections();
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  const control = async (method: string, path: string, body: object) => {
    const authorization = `Bearer ${tokens.controlToken}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const sent = { method, headers, body: JSON.stringify(body) };
    const answer = await fetch(`${origin}/control/${path}`, sent);
    if (!answer.ok) throw new Error(`the provider answered ${answer.status}`);
    return await answer.json();
  };
  const orderFaults = async (faults: object) => void (await control('PUT', 'faults', faults));
  const sendAsProvider = async (uid: string, body: object) => {
    const { answers } = await control('POST', 'storms', { uid, count: 1, body });
    return Object.keys(answers).join();
  };
  return { origin, token: tokens.apiToken, orderFaults, sendAsProvider, close };
}

export interface BareWallet extends Given, Browsing {
  readonly origin: string;
  readonly providerOrigin: string;
  readonly ahead: SiteClock;
  /** Sets the faults of the provider. */
  orderFaults(faults: object): Promise<void>;
  /**
   * Makes the provider send a callback with the provider's credentials; returns for example `accepted 200`.
   */
  sendAsProvider(uid: string, body: object): Promise<string>;
}

/**
 * Starts a wallet whose clock can be set. `prepare` fills the database before the wallet registers packages.
 */
export async function openBareWallet(
  prepare: (given: Given) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<BareWallet> {
  const provider = await openProvider();
  const port = await findFreePort();
  const given = await givenWallet({
    WALLET_PORT: String(port),
    PROVIDER_PRIVATE_URL: `${provider.origin}/private`,
    PROVIDER_PUBLIC_URL: `${provider.origin}/public`,
    PROVIDER_API_TOKEN: provider.token,
    ...settings,
  });
  const ahead = controlClock(given.clock);
  await given.app.listen({ host: '127.0.0.1', port });
  const origin = `http://127.0.0.1:${port}`;
  await prepare(given);
  const registrar = await startRegistrar({
    db: given.db,
    upstream: given.upstream,
    masterKey: given.config.masterKey,
    callbackUrl: `${origin}/api/v1/game/callback`,
    logger: createLogger({ service: 'wallet', level: 'silent' }),
    now: () => given.clock.now,
  });
  const close = async () => {
    await registrar.stop();
    await given.close();
    await provider.close();
  };
  const { origin: providerOrigin, orderFaults, sendAsProvider } = provider;
  const asProvider = { providerOrigin, orderFaults, sendAsProvider };
  return await withBrowser({ ...given, origin, ahead, ...asProvider, close });
}

/** Starts a wallet with a package, its people and an administrator. */
export async function openWalletSite(
  name = 'Lucky Lane',
  settings: Record<string, string> = {},
): Promise<WalletSite> {
  let made: GivenPackage | undefined;
  const wallet = await openBareWallet(async (given) => {
    made = await given.package({ name, credit: '1000.00' });
  }, settings);
  const of = made as GivenPackage;
  const withPassword = ({ email }: { email: string }) => ({ email, password });
  return {
    ...wallet,
    of,
    base: `/p/${of.id}`,
    owner: withPassword(await giveMember(wallet, of, 'owner')),
    member: withPassword(await giveMember(wallet, of, 'member')),
    administrator: withPassword(await giveAdministrator(wallet)),
    callback: (body) => sendCallback(wallet.origin, of, body),
  };
}

export const describeWallet = (
  title: string,
  body: (site: WalletSite) => void,
  open: () => Promise<WalletSite> = () => openWalletSite(),
): void => describeWithSite(title, open, body);

/**
 * Opens a page with pictures of games, which come from the provider. The returned `end` closes the page and
 * expects no faults; requests to the provider are not faults.
 */
export async function visitLobby(site: BareWallet, who: Person, path: string) {
  const { page, faults, close } = await site.visit(who, path);
  const end = async () => {
    const allowed = `request to another host: ${site.providerOrigin}`;
    expect(faults.filter((fault) => fault !== allowed)).toEqual([]);
    await close();
  };
  return { page, end };
}

interface CallbackSender {
  readonly uid: string;
  readonly callback: { readonly apiKey: string; readonly apiSecret: string };
}

export async function sendCallback(origin: string, of: CallbackSender, body: object) {
  const answer = await fetch(`${origin}/api/v1/game/callback`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-uid': of.uid,
      'x-api-key': of.callback.apiKey,
      'x-api-secret': of.callback.apiSecret,
    },
    body: JSON.stringify(body),
  });
  await answer.arrayBuffer();
  return { status: answer.status };
}

/** Chooses a player in a dialog or form. */
export async function choosePlayer(page: Page, playerId: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Player' }).fill(playerId);
  await page.getByRole('option', { name: playerId }).click();
}
