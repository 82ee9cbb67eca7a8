// Offline licences, their terms, and the keys that sign them.
import type { CallOptions, Send } from '../../sdk-shared/src/call.ts';
import { createCalls } from './managed-calls.ts';
import type * as wire from './wire.ts';

const terms = '/api/v1/licence-terms';
const signingKeys = '/api/v1/signing-keys';

export function createLicenceCalls(send: Send) {
  const { read, write } = createCalls(send);
  return {
    /**
     * Issues a licence that the host can verify without calling the service. The host gets a seat if it has
     * none.
     */
    issueLicence: (seat: wire.IssueLicenceBody, options?: CallOptions) =>
      write<wire.IssueLicenceAnswer>(['POST', '/api/v1/licences', 'again'], seat, options),
    getLicenceTerms: (query: wire.GetLicenceTermsQuery = {}, options?: CallOptions) =>
      read<wire.GetLicenceTermsAnswer>(terms, query, options),
    /** Replaces all terms. An omitted term comes from the workspace, or from the defaults of the service. */
    setLicenceTerms: (given: wire.SetLicenceTermsBody, options?: CallOptions) =>
      write<wire.SetLicenceTermsAnswer>(['PUT', terms, 'once'], given, options),
    listSigningKeys: (options?: CallOptions) => read<wire.ListSigningKeysAnswer>(signingKeys, {}, options),
    /** Creates the signing key, or replaces it with a new one. */
    rotateSigningKey: (given: wire.RotateSigningKeyBody = {}, options?: CallOptions) =>
      write<wire.RotateSigningKeyAnswer>(['POST', `${signingKeys}/rotate`, 'once'], given, options),
  };
}
