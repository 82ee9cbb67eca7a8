// Calls both services with clients that two generators made from the OpenAPI documents.
import createClient from 'openapi-fetch';
import type { components as LicensingComponents, paths as LicensingPaths } from './generated/licensing.js';
import { type Item, Api as LicensingApi, type Purchase } from './generated/licensing-api.js';
import type { components as WalletComponents, paths as WalletPaths } from './generated/wallet.js';
import { type BalanceUpdate, type Player, Api as WalletApi } from './generated/wallet-api.js';

interface Services {
  readonly licensing: { readonly baseUrl: string; readonly key: string; readonly code: string };
  readonly wallet: {
    readonly baseUrl: string;
    readonly headers: Record<string, string>;
    readonly player: string;
  };
}

const { licensing, wallet } = JSON.parse(process.argv[2] ?? '') as Services;

/** Uses the types of openapi-typescript with openapi-fetch. */
async function callWithTypes() {
  const licensingClient = createClient<LicensingPaths>({
    baseUrl: licensing.baseUrl,
    headers: { 'X-API-KEY': licensing.key },
  });
  const validated = await licensingClient.POST('/api/purchases/validation', {
    body: { purchase_code: licensing.code },
  });
  const purchase: LicensingComponents['schemas']['Purchase'] | undefined = validated.data?.data.purchase;
  const walletClient = createClient<WalletPaths>({
    baseUrl: wallet.baseUrl,
    headers: wallet.headers,
  });
  const updated = await walletClient.POST('/api/v1/user/update_balance', {
    body: { player_id: wallet.player, type: 'credit', amount: 2.5, transaction_id: 'typed-1' },
  });
  const update: WalletComponents['schemas']['BalanceUpdate'] | undefined = updated.data?.data;
  return { item: purchase?.item.name, balance: update?.balance };
}

/** Uses the complete client of swagger-typescript-api. */
async function callWithClient() {
  const licensingApi = new LicensingApi({
    baseUrl: licensing.baseUrl,
    baseApiParams: { headers: { 'X-API-KEY': licensing.key } },
  });
  const validated = await licensingApi.api.postApiPurchasesValidation({
    purchase_code: licensing.code,
  });
  const purchase: Purchase = validated.data.data.purchase;
  const items: Item[] = (await licensingApi.api.getApiItemsAll()).data.items;
  const walletApi = new WalletApi({
    baseUrl: wallet.baseUrl,
    baseApiParams: { headers: wallet.headers },
  });
  const updated = await walletApi.api.postApiV1UserUpdateBalance({
    player_id: wallet.player,
    type: 'debit',
    amount: 1,
    transaction_id: 'client-1',
  });
  const update: BalanceUpdate = updated.data.data;
  const players: Player[] = (await walletApi.api.getApiV1UserList()).data.data.players;
  return {
    item: purchase.item.name,
    items: items.length,
    balance: update.balance,
    players: players.map((player) => player.player_id),
  };
}

process.stdout.write(JSON.stringify({ types: await callWithTypes(), client: await callWithClient() }));
