// Two rivals: the server calls an SQL function once per request or, with BATCHES=on, once per batch.

import { answerBy, type Posted, serveUpdates, type Update } from './facade.ts';
import { createPlainBatch, postOrders } from './plain-batch.ts';
import { loadAccounts, openRivalsDb } from './rivals.ts';

const packageId = Number(process.env.PACKAGE_ID);
const db = openRivalsDb({ url: process.env.WALLET_DATABASE_URL ?? '', maxConnections: 10 });
const accounts = await loadAccounts(db, packageId);
const batch = createPlainBatch(db, packageId);

const post = async ({ playerId, ...update }: Update): Promise<Posted> => {
  const account = accounts.get(playerId);
  if (account === undefined) throw new Error('the player does not exist');
  const order = { account, ...update };
  if (process.env.BATCHES === 'on') return batch.submit(order);
  const [posted] = await postOrders(db, packageId, [order]);
  if (!posted) throw new Error('the function returned no row');
  return posted;
};

await serveUpdates(answerBy(post));
