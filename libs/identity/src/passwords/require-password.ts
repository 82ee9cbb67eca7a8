// Asks a signed-in person for the password again, before a secret is revealed or a thing is undone.

import type { SignIn } from '../sessions/sign-in.ts';
import { checkOwnPassword } from './check-password.ts';

/** Throws `password_wrong`, or `rate_limited` after ten wrong ones in a quarter of an hour. */
export async function requirePassword(
  signIn: SignIn,
  input: { personId: bigint; password: string },
): Promise<void> {
  await checkOwnPassword(signIn, input);
}
