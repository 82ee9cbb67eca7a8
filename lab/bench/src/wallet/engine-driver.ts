// Calls an engine without HTTP from 256 callers. The process receives a duration, and sends back the number
// of movements per second.
import { randomBytes } from 'node:crypto';
import { createLogger } from '@counterfoil/kit/observability/logging';
import { createLedger } from '@counterfoil/wallet-server/ledger/engine/ledger';
import { openLedgerDb } from '@counterfoil/wallet-server/ledger/open-ledger-db';
import { transfer } from '@counterfoil/wallet-server/ledger/transfer';
import { createPlainBatch, type PlainOrder } from './rivals/plain-batch.ts';
import { loadAccounts, openRivalsDb } from './rivals/rivals.ts';

const callers = 256;
const url = process.env.WALLET_DATABASE_URL ?? '';
const packageId = Number(process.env.PACKAGE_ID);

type Submit = (order: PlainOrder) => Promise<unknown>;

function openOurs(): Submit {
  const logger = createLogger({ service: 'bench', level: 'warn' });
  const ledger = createLedger({ db: openLedgerDb({ url, logger }) });
  const terms = { packageId, overdraftLimit: 0n, note: '' };
  return async (order) => {
    const receipt = await transfer(ledger, { ...terms, ...order });
    if (receipt?.outcome.kind !== 'stored' || receipt.outcome.movement.result !== 'applied') {
      throw new Error('a movement was not applied');
    }
  };
}

function openRival(): Submit {
  const batch = createPlainBatch(openRivalsDb({ url, maxConnections: 4 }), packageId);
  return (order) => batch.submit(order);
}

const submit = process.env.ENGINE === 'plain' ? openRival() : openOurs();
const lookUps = openRivalsDb({ url, maxConnections: 1 });
const schema = process.env.ENGINE === 'plain' ? 'rivals' : 'public';
await lookUps.query(`set search_path = ${schema}`);
const accounts = [...(await loadAccounts(lookUps, packageId)).values()];
await lookUps.end();

async function drive(seconds: number): Promise<{ answers: number; perSecond: number }> {
  const tag = randomBytes(4).toString('hex');
  const started = performance.now();
  const until = started + seconds * 1000;
  let count = 0;
  let answers = 0;
  const call = async () => {
    while (performance.now() < until) {
      const n = count++;
      const account = accounts[(n * 7919) % accounts.length] ?? 0n;
      const type = Math.floor(n / 3) % 2 === 0 ? 'credit' : 'debit';
      await submit({ account, type, amount: 125n, transactionId: `bench-${tag}-${n}` });
      answers++;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return { answers, perSecond: (answers / (performance.now() - started)) * 1000 };
}

process.on('message', async ({ seconds }: { seconds: number }) => {
  process.send?.(await drive(seconds));
});
process.once('SIGTERM', () => process.exit(0));
process.once('disconnect', () => process.exit(0));
process.send?.({ ready: true });
