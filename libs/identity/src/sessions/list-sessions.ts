// Where a person is signed in at the moment, the latest seen first.

import { listSessionsOf } from '../store/sessions.ts';
import type { ListedSession } from './session.ts';
import { aliveAt } from './session.ts';
import type { SignIn } from './sign-in.ts';

export async function listSessions(signIn: SignIn, personId: bigint): Promise<ListedSession[]> {
  return await listSessionsOf(signIn.db, personId, aliveAt(signIn.now()));
}
