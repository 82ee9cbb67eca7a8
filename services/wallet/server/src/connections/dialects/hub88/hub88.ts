// The dialect of Hub88's seamless wallet protocol, with Caleta's variant of it (profile `caleta`).
import type { Dialect, EarlyFailure } from '../dialect.ts';
import { earlyFailures } from './errors.ts';
import { findEchoIn, parseRequest } from './parse.ts';
import { type Hub88Context, presentResult, writeAnswer } from './present.ts';
import { checkSignature } from './signature.ts';

/** After these failures the body is not parsed, because the body has no valid signature or was cut off. */
const unparsed: readonly EarlyFailure[] = ['forged', 'stale', 'too_large'];

export const hub88: Dialect<Hub88Context> = {
  name: 'hub88',
  // A connection may also have `operator_id` and, for Caleta, `sub_partner_id`. Only requests to the provider
  // need them, so they are not listed here.
  secrets: { provider_public_key_pem: 'theirs', private_key_pem: 'ours' },
  repeatBalance: 'stored',
  repeatsRefusals: true,
  showsPromo: false,
  authenticate: checkSignature,
  parse: parseRequest,
  present: presentResult,
  presentEarly: (failure, { body }) =>
    writeAnswer(earlyFailures[failure], unparsed.includes(failure) ? {} : findEchoIn(body)),
};
