// Finds out whether a transaction was applied after its answer was lost.
import type { CallOptions } from '../../sdk-shared/src/call.ts';
import { CounterfoilError } from '../../sdk-shared/src/counterfoil-error.ts';
import type { GetTransactionAnswer } from './wire.ts';

type Transaction = GetTransactionAnswer['data'];

export type Resolution =
  | { readonly outcome: 'applied'; readonly transaction: Transaction }
  /** The refusal is final for this transaction id. `code` is the reason of the refusal. */
  | { readonly outcome: 'not_applied'; readonly code: string; readonly transaction: Transaction }
  /** The service does not have the transaction yet. Send the same call again to get a definite outcome. */
  | { readonly outcome: 'unknown' };

export type Resolve = (transactionId: string, options?: CallOptions) => Promise<Resolution>;

type GetTransaction = (
  query: { transaction_id: string },
  options?: CallOptions,
) => Promise<GetTransactionAnswer>;

export const createResolve =
  (getTransaction: GetTransaction): Resolve =>
  async (transactionId, options) => {
    try {
      const { data } = await getTransaction({ transaction_id: transactionId }, options);
      return data.result === 'applied'
        ? { outcome: 'applied', transaction: data }
        : { outcome: 'not_applied', code: data.code ?? '', transaction: data };
    } catch (error) {
      const isAbsent = error instanceof CounterfoilError && error.code === 'transaction_not_found';
      if (isAbsent) return { outcome: 'unknown' };
      throw error;
    }
  };
