// The wallet protocol of the SoftSwiss Game Aggregator, version 2.
import type { Dialect } from '../dialect.ts';
import { earlyFailures, writeError } from './errors.ts';
import { parseRequest, type SoftswissContext } from './parse.ts';
import { presentResult } from './present.ts';
import { checkSignature } from './signature.ts';

export const softswiss: Dialect<SoftswissContext> = {
  name: 'softswiss',
  // The provider issues one token, which signs both the provider's requests and the wallet's requests.
  secrets: { token: 'theirs' },
  repeatBalance: 'stored',
  showsPromo: false,
  authenticate: checkSignature,
  parse: parseRequest,
  present: presentResult,
  presentEarly: (failure) => writeError(earlyFailures[failure]),
};
