// Management route of the transaction inspector: all attempts of one transaction id.
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { PrintableText } from '@counterfoil/kit/http/text';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { type AccessPolicy, getHome, managed, PackageParams } from '../access-policy.ts';
import { getManagedPackage } from '../packages/queries.ts';
import { inspectTransaction } from './inspect-transaction.ts';
import { presentTransactionAttempts, TransactionAttempts } from './transaction-attempts.ts';

export function registerInspector(app: App, policy: AccessPolicy, { db }: { db: Db }): void {
  const schema = {
    ...managed(policy, {
      summary: 'Every attempt of a transaction id',
      description:
        'Includes update_balance, callbacks and each provider connection, whose ids are separate. Stored ' +
        'movements come from the journal; repeats, refusals, conflicts and the calls of connections come ' +
        'from the logs, which are deleted after some days. A Valkyrie transaction with a bet reference is ' +
        'also found by the reference.',
      data: TransactionAttempts,
    }),
    params: Type.Object({ ...PackageParams, transaction_id: PrintableText({ min: 1, max: 128 }) }),
  };
  const path = `${policy.packagePath}/transactions/:transaction_id`;
  const onRequest = policy.authorizeFor({ role: 'member' });
  app.get(path, { schema, onRequest }, async (request) => {
    const { packageId } = getHome(request);
    const { transaction_id: transactionId } = request.params;
    const owner = await getManagedPackage(db, packageId);
    const found = await inspectTransaction(db, { packageId, transactionId });
    return answer(request, presentTransactionAttempts(found, owner));
  });
}
