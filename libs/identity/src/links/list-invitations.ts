// The invitations of a tenant that nobody has redeemed yet.

import type { SignIn } from '../sessions/sign-in.ts';
import { listInvitationsOf } from '../store/links.ts';
import type { OpenInvitation } from './link.ts';

export async function listInvitations(signIn: SignIn, tenantId: bigint): Promise<OpenInvitation[]> {
  return await listInvitationsOf(signIn.db, tenantId, signIn.now());
}
