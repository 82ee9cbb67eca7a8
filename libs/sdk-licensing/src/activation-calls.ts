// Activations of purchase codes on hosts and machines, and their limits.
import type { CallOptions, Send } from '../../sdk-shared/src/call.ts';
import { createCalls } from './managed-calls.ts';
import type {
  ActivateAnswer,
  ActivateBody,
  GetActivationLimitsAnswer,
  GetActivationLimitsQuery,
  ListActivationsAnswer,
  ListActivationsQuery,
  ReleaseActivationAnswer,
  ReleaseActivationBody,
  SetActivationLimitsAnswer,
  SetActivationLimitsBody,
} from './wire.ts';

const activations = '/api/v1/activations';
const limits = '/api/v1/activation-limits';

/** Selects a purchase by its id or by its code. The code is sent in a header. */
export type ActivationsQuery = ListActivationsQuery & { readonly purchase_code?: string };

export function createActivationCalls(send: Send) {
  const { read, write } = createCalls(send);
  return {
    /** Activating the same host again returns the same activation and uses no further seat. */
    activate: (seat: ActivateBody, options?: CallOptions) =>
      write<ActivateAnswer>(['POST', activations, 'again'], seat, options),
    releaseActivation: (seat: ReleaseActivationBody, options?: CallOptions) =>
      write<ReleaseActivationAnswer>(['POST', `${activations}/release`, 'again'], seat, options),
    listActivations: (given: ActivationsQuery = {}, options?: CallOptions) => {
      const { purchase_code: code, ...query } = given;
      const headers = code === undefined ? {} : { 'x-purchase-code': code };
      const call = { method: 'GET', path: activations, query, headers, repeatable: true } as const;
      return send<ListActivationsAnswer>(call, options);
    },
    getActivationLimits: (query: GetActivationLimitsQuery = {}, options?: CallOptions) =>
      read<GetActivationLimitsAnswer>(limits, query, options),
    /** Replaces all limits. An omitted limit is that of the workspace, or else the service's default. */
    setActivationLimits: (given: SetActivationLimitsBody, options?: CallOptions) =>
      write<SetActivationLimitsAnswer>(['PUT', limits, 'once'], given, options),
  };
}
