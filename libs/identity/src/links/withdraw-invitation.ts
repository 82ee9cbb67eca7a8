// Takes an open invitation back: its link stops working.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { SignIn } from '../sessions/sign-in.ts';
import { deleteInvitation } from '../store/links.ts';

export async function withdrawInvitation(
  signIn: SignIn,
  tx: Tx,
  input: { tenantId: bigint; id: bigint; actorId: bigint | null; address?: string },
): Promise<void> {
  const { tenantId, actorId } = input;
  const email = await deleteInvitation(tx, input);
  if (email === undefined) throw signIn.errors.fail('invitation_not_found');
  await signIn.audit(tx, {
    action: 'invitation_withdrawn',
    actorId,
    personId: null,
    tenantId,
    address: input.address ?? null,
    details: { email },
  });
}
