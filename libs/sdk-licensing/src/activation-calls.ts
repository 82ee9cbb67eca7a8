// Activations of purchase codes on hosts and machines, and their limits.
import type { CallOptions, Send } from '../../sdk-shared/src/call.ts';
import { createCalls } from './managed-calls.ts';
import type * as wire from './wire.ts';

const activations = '/api/v1/activations';
const limits = '/api/v1/activation-limits';

/** Selects a purchase by its id or by its code. The code is sent in a header. */
export type ActivationsQuery = wire.ListActivationsQuery & { readonly purchase_code?: string };

export function createActivationCalls(send: Send) {
  const { read, write } = createCalls(send);
  return {
    /**
     * Activates a host or machine. Activating it again returns the same activation and uses no further seat.
     */
    activate: (seat: wire.ActivateBody, options?: CallOptions) =>
      write<wire.ActivateAnswer>(['POST', activations, 'again'], seat, options),
    releaseActivation: (seat: wire.ReleaseActivationBody, options?: CallOptions) =>
      write<wire.ReleaseActivationAnswer>(['POST', `${activations}/release`, 'again'], seat, options),
    listActivations: (given: ActivationsQuery = {}, options?: CallOptions) => {
      const { purchase_code: code, ...query } = given;
      const headers = code === undefined ? {} : { 'x-purchase-code': code };
      const call = { method: 'GET', path: activations, query, headers, repeatable: true } as const;
      return send<wire.ListActivationsAnswer>(call, options);
    },
    getActivationLimits: (query: wire.GetActivationLimitsQuery = {}, options?: CallOptions) =>
      read<wire.GetActivationLimitsAnswer>(limits, query, options),
    /**
     * Replaces all limits. If a limit is omitted, the limit of the workspace applies. If the workspace has
     * no limit either, the default of the service applies.
     */
    setActivationLimits: (given: wire.SetActivationLimitsBody, options?: CallOptions) =>
      write<wire.SetActivationLimitsAnswer>(['PUT', limits, 'once'], given, options),
  };
}
