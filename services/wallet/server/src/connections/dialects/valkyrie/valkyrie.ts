// The dialect of Valkyrie, an open-source aggregator that connects Evolution, Caleta and Red Tiger.
// Its PAM API is described in pam/pam_api.yml of valkyrie-fnd/valkyrie.
import type { Dialect } from '../dialect.ts';
import { earlyErrors } from './errors.ts';
import { listKeysOf } from './keys.ts';
import { parse } from './parse.ts';
import { present, presentError, type ValkyrieContext } from './present.ts';
import { authenticate } from './signature.ts';

export const valkyrie: Dialect<ValkyrieContext> = {
  name: 'valkyrie',
  secrets: { token: 'ours', recon_token: 'ours' },
  repeatBalance: 'present',
  showsPromo: true,
  authenticate,
  parse,
  listKeysOf,
  present,
  presentEarly: (failure) => presentError(earlyErrors[failure]),
};
