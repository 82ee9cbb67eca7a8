// Begins to set up the second factor: a secret for the authenticator app, not yet in force.

import { noSecondFactor } from '../members/person.ts';
import { checkOwnPassword } from '../passwords/check-password.ts';
import type { Session } from '../sessions/session.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { lockPerson, saveSecondFactor } from '../store/people.ts';
import { sealTotpSecret } from './second-factor.ts';
import { makeTotpSecret, toBase32, totpUri } from './totp.ts';

export async function startSecondFactor(
  signIn: SignIn,
  input: { session: Session; password: string },
): Promise<{ secret: string; uri: string }> {
  const { personId, email } = input.session;
  await checkOwnPassword(signIn, { personId, password: input.password });
  const secret = makeTotpSecret();
  const sealed = sealTotpSecret(signIn, personId, secret);
  await signIn.db.transaction(async (tx) => {
    const person = await lockPerson(tx, personId);
    // Otherwise a thief of the password could swap the secret of a factor that is in force.
    if (person?.secondFactor.confirmedAt !== null) throw signIn.errors.fail('second_factor_on');
    await saveSecondFactor(tx, personId, { ...noSecondFactor, sealed });
  });
  const uri = totpUri({ secret, issuer: signIn.serviceName, account: email });
  return { secret: toBase32(secret), uri };
}
