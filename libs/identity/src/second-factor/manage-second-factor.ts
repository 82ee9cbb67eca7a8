// Sets up, confirms and turns off the second factor of a person.

import { noSecondFactor } from '../members/person.ts';
import { countAttempt, secondFactorLimits } from '../passwords/attempts.ts';
import { requirePassword } from '../passwords/check-password.ts';
import type { Session } from '../sessions/session.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { lockPerson, saveSecondFactor } from '../store/people.ts';
import {
  findStep,
  hashRecoveryCode,
  makeRecoveryCodes,
  sealTotpSecret,
  useSecondFactorCode,
} from './second-factor.ts';
import { makeTotpSecret, toBase32, totpUri } from './totp.ts';

export async function startSecondFactor(
  signIn: SignIn,
  input: { session: Session; password: string },
): Promise<{ secret: string; uri: string }> {
  const { personId, email } = input.session;
  await requirePassword(signIn, { personId, password: input.password });
  const secret = makeTotpSecret();
  const sealed = sealTotpSecret(signIn, personId, secret);
  await signIn.db.transaction(async (tx) => {
    const person = await lockPerson(tx, personId);
    // An attacker who knows the password must not be able to replace an active second factor.
    if (person?.secondFactor.confirmedAt !== null) throw signIn.errors.fail('second_factor_on');
    await saveSecondFactor(tx, personId, { ...noSecondFactor, sealed });
  });
  const uri = totpUri({ secret, issuer: signIn.serviceName, account: email });
  return { secret: toBase32(secret), uri };
}

/** Activates the second factor. Returns the recovery codes, which cannot be shown again. */
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
    const action = 'second_factor_enabled';
    await signIn.audit(tx, { action, actorId: personId, personId, address });
  });
  await attempt.giveBack();
  return codes;
}

export async function turnOffSecondFactor(
  signIn: SignIn,
  input: { session: Session; password: string; code: string; address: string },
): Promise<void> {
  const { personId } = input.session;
  await requirePassword(signIn, { personId, password: input.password });
  const attempt = await countAttempt(signIn, secondFactorLimits(personId));
  await signIn.db.transaction(async (tx) => {
    const person = await lockPerson(tx, personId);
    if (!person?.secondFactor.confirmedAt) throw signIn.errors.fail('second_factor_off');
    await useSecondFactorCode(signIn, tx, { person, code: input.code });
    await saveSecondFactor(tx, personId, noSecondFactor);
    const { address } = input;
    const action = 'second_factor_disabled';
    await signIn.audit(tx, { action, actorId: personId, personId, address });
  });
  await attempt.giveBack();
}
