// Admits a provider's callback: the three headers first; state and address once it is proved genuine.
import { ServiceError } from '@counterfoil/kit/http/errors';
import type { FastifyRequest } from 'fastify';
import {
  type IdentifyDeps,
  identify,
  refuseByAddress,
  refuseByState,
} from '../packages/callers/authenticate.ts';
import type { CustomerPackage } from '../packages/customer-package.ts';
import type { ForgedSink } from './forged-callbacks.ts';

export async function identifyProvider(
  deps: IdentifyDeps & { forged: ForgedSink },
  request: FastifyRequest,
): Promise<CustomerPackage> {
  try {
    const { customerPackage } = await identify(deps, request);
    return customerPackage;
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 401 || error.status === 429)) {
      const { 'x-uid': uid, 'x-api-key': key, 'x-api-secret': secret } = request.headers;
      const reason = uid && key && secret ? 'auth_invalid' : 'auth_missing';
      deps.forged.note({ uid: String(uid ?? ''), address: request.ip, reason });
    }
    throw error;
  }
}

/** From here on the request is the provider's: errors carry the package's credit. */
export function admitProvider(request: FastifyRequest, customerPackage: CustomerPackage): void {
  request.customerPackage = customerPackage;
  // What a suspended package gets depends on the action, which is in the body.
  refuseByState(customerPackage, { whenSuspended: 'served' });
  refuseByAddress(customerPackage.callbackAddresses, request.ip);
}
