// The rival engine: each call of the PL/pgSQL function posts the waiting orders, at most `maxBatch`. Only one
// call runs at a time.

import { plainColumn, textColumn } from '@counterfoil/kit/postgres/array-text';
import type { Db } from '@counterfoil/kit/postgres/db';
import { hashId } from '@counterfoil/wallet-server/ledger/rules/ids';
import { kinds } from '@counterfoil/wallet-server/ledger/rules/movement';
import type { Posted } from './facade.ts';

export interface PlainOrder {
  readonly account: bigint;
  readonly type: 'credit' | 'debit';
  readonly amount: bigint;
  readonly transactionId: string;
}

interface Waiting extends PlainOrder {
  readonly resolve: (posted: Posted) => void;
  readonly reject: (error: unknown) => void;
}

const maxBatch = 512;

export async function postOrders(
  db: Db,
  packageId: number,
  orders: readonly PlainOrder[],
): Promise<Posted[]> {
  const [accounts, types, amounts, ids] = Array.from({ length: 4 }, plainColumn);
  const texts = textColumn();
  for (const order of orders) {
    accounts?.push(order.account);
    types?.push(kinds[order.type]);
    amounts?.push(order.amount);
    ids?.push(hashId('caller', order.transactionId));
    texts.push(order.transactionId);
  }
  const { rows } = await db.query<Posted>({
    name: 'post',
    text: 'select balance, credit, at, duplicate from post($1, 0, $2, $3, $4, $5, $6) order by place',
    values: [packageId, ...[accounts, types, amounts, ids, texts].map((each) => each?.text())],
  });
  return rows;
}

/** Works like the service's engine, but without fairness, limits, deadlines and repairs. */
export function createPlainBatch(db: Db, packageId: number) {
  let queue: Waiting[] = [];
  let running = false;

  const pump = async () => {
    const batch = queue.slice(0, maxBatch);
    queue = queue.slice(maxBatch);
    try {
      const posted = await postOrders(db, packageId, batch);
      for (const [i, waiting] of batch.entries()) waiting.resolve(posted[i] as Posted);
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
    running = queue.length > 0;
    if (running) setImmediate(pump);
  };

  return {
    submit: (order: PlainOrder): Promise<Posted> =>
      new Promise((resolve, reject) => {
        queue.push({ ...order, resolve, reject });
        if (running) return;
        running = true;
        setImmediate(pump);
      }),
  };
}
