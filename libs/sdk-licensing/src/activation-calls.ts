// Activations: a purchase code put to use on a host or a machine, and how many a licence has.
import type { CallOptions, Send } from '../../sdk-shared/src/call.ts';
import { createManaged } from './managed-calls.ts';
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

/** Those of one purchase, by its id or by its code; the code travels in a header. */
export type ActivationsQuery = ListActivationsQuery & { readonly purchase_code?: string };

export function createActivationCalls(send: Send) {
  const { write } = createManaged(send);
  return {
    /** The same host again is the same activation, and takes no further place. */
    activate: (place: ActivateBody, options?: CallOptions) =>
      write<ActivateAnswer>(
        { method: 'POST', path: activations, repeat: 'again', json: place },
        options,
      ),
    releaseActivation: (place: ReleaseActivationBody, options?: CallOptions) =>
      write<ReleaseActivationAnswer>(
        { method: 'POST', path: `${activations}/release`, repeat: 'again', json: place },
        options,
      ),
    listActivations: (given: ActivationsQuery = {}, options?: CallOptions) => {
      const { purchase_code: code, ...query } = given;
      const headers = code === undefined ? {} : { 'x-purchase-code': code };
      const call = { method: 'GET', path: activations, query, headers, repeatable: true } as const;
      return send<ListActivationsAnswer>(call, options);
    },
    getActivationLimits: (query: GetActivationLimitsQuery = {}, options?: CallOptions) =>
      send<GetActivationLimitsAnswer>(
        { method: 'GET', path: limits, query, repeatable: true },
        options,
      ),
    /** The whole of it: what is left out comes from the workspace again, or from the service. */
    setActivationLimits: (given: SetActivationLimitsBody, options?: CallOptions) =>
      write<SetActivationLimitsAnswer>(
        { method: 'PUT', path: limits, repeat: 'once', json: given },
        options,
      ),
  };
}
