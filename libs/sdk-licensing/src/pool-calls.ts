// The calls that manage pools of codes.
import { checkAmount } from '../../sdk-shared/src/amount.ts';
import type { CallOptions, Send } from '../../sdk-shared/src/call.ts';
import { createCalls, type Id, type IssueOptions, step } from './managed-calls.ts';
import type * as wire from './wire.ts';

const pools = '/api/v1/pools';
const at = (poolId: Id) => `${pools}/${step(poolId)}`;

export function createPoolCalls(send: Send) {
  const { read, write, writeByKey } = createCalls(send);
  return {
    listPools: (query: wire.ListPoolsQuery = {}, options?: CallOptions) =>
      read<wire.ListPoolsAnswer>(pools, query, options),
    getPool: (poolId: Id, options?: CallOptions) => read<wire.GetPoolAnswer>(at(poolId), {}, options),
    /** Creates a pool without codes. The call is not retried, because the name would then be taken. */
    createPool: async (pool: wire.CreatePoolBody, options?: CallOptions) => {
      if (pool.price !== undefined) checkAmount('price', pool.price);
      return await write<wire.CreatePoolAnswer>(['POST', pools, 'once'], pool, options);
    },
    changePool: (poolId: Id, pool: wire.ChangePoolBody, options?: CallOptions) =>
      write<wire.ChangePoolAnswer>(['PATCH', at(poolId), 'again'], pool, options),
    /** Generates codes until the pool has enough. Repeat the call until `missing` is 0. */
    refillPool: (poolId: Id, wanted: wire.RefillPoolBody, options?: CallOptions) =>
      write<wire.RefillPoolAnswer>(['POST', `${at(poolId)}/refill`, 'again'], wanted, options),
    /** Adds codes of your own. A repeated call refuses the codes that it has already added. */
    addPoolCodes: (poolId: Id, codes: wire.AddPoolCodesBody, options?: CallOptions) =>
      write<wire.AddPoolCodesAnswer>(['POST', `${at(poolId)}/codes`, 'again'], codes, options),
    /** Hands out one code per idempotency key, even if the call is repeated. */
    drawCode: (poolId: Id, draw: wire.DrawCodeBody = {}, options: IssueOptions = {}) =>
      writeByKey<wire.DrawCodeAnswer>(`${at(poolId)}/draw`, draw, options),
    /** Withdraws all free codes. The call is not retried, because codes may have been added since. */
    withdrawPool: (poolId: Id, options?: CallOptions) =>
      write<wire.WithdrawPoolAnswer>(['POST', `${at(poolId)}/withdraw`, 'once'], undefined, options),
  };
}
