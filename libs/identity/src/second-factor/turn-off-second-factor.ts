// Turns one's own second factor off, with the password and a code.

import { noSecondFactor } from '../members/person.ts';
import { countAttempt, secondFactorLimits } from '../passwords/attempts.ts';
import { checkOwnPassword } from '../passwords/check-password.ts';
import type { Session } from '../sessions/session.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { lockPerson, saveSecondFactor } from '../store/people.ts';
import { useSecondFactorCode } from './second-factor.ts';

export async function turnOffSecondFactor(
  signIn: SignIn,
  input: { session: Session; password: string; code: string; address: string },
): Promise<void> {
  const { personId } = input.session;
  await checkOwnPassword(signIn, { personId, password: input.password });
  const attempt = await countAttempt(signIn, secondFactorLimits(personId));
  await signIn.db.transaction(async (tx) => {
    const person = await lockPerson(tx, personId);
    if (!person?.secondFactor.confirmedAt) throw signIn.errors.fail('second_factor_off');
    await useSecondFactorCode(signIn, tx, { person, code: input.code });
    await saveSecondFactor(tx, personId, noSecondFactor);
    const { address } = input;
    await signIn.audit(tx, {
      action: 'second_factor_disabled',
      actorId: personId,
      personId,
      address,
    });
  });
  await attempt.giveBack();
}
