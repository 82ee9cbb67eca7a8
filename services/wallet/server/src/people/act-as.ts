// The sign-in desk in the name of one visitor: what it does is noted as theirs.
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import type { Actor } from '../audit/audit-event.ts';
import { recordSignIn } from '../audit/record-sign-in.ts';

export const actAs = (signIn: SignIn, actor: Actor): SignIn => ({
  ...signIn,
  audit: (tx, event) => {
    const rest = { tenantId: null, address: null, details: {} };
    return recordSignIn(tx, { ...rest, ...event, at: signIn.now() }, actor);
  },
});
