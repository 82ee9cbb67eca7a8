// Puts the second factor in force once the app has shown that it makes the right codes.
import { countAttempt, secondFactorLimits } from '../passwords/attempts.ts';
import type { Session } from '../sessions/session.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { lockPerson, saveSecondFactor } from '../store/people.ts';
import { findStep, hashRecoveryCode, makeRecoveryCodes } from './second-factor.ts';

/** Returns the recovery codes, which are shown this once. */
export async function confirmSecondFactor(
  signIn: SignIn,
  input: { session: Session; code: string; address: string },
): Promise<string[]> {
  const { personId } = input.session;
  const { errors } = signIn;
  const attempt = await countAttempt(signIn, secondFactorLimits(personId));
  const codes = makeRecoveryCodes();
  await signIn.db.transaction(async (tx) => {
    const person = await lockPerson(tx, personId);
    if (!person?.secondFactor.sealed) throw errors.fail('second_factor_not_started');
    if (person.secondFactor.confirmedAt !== null) throw errors.fail('second_factor_on');
    const step = findStep(signIn, person, input.code);
    if (step === undefined) throw errors.fail('second_factor_invalid');
    await saveSecondFactor(tx, personId, {
      sealed: person.secondFactor.sealed,
      confirmedAt: signIn.now(),
      lastStep: step,
      recoveryCodeHashes: codes.map((code) => hashRecoveryCode(signIn, personId, code)),
    });
    const { address } = input;
    await signIn.audit(tx, {
      action: 'second_factor_enabled',
      actorId: personId,
      personId,
      address,
    });
  });
  await attempt.giveBack();
  return codes;
}
