// The signed revocation list of a workspace: the ids of codes whose licences are no longer valid.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { type Signer, signJws } from '../signing-keys/signing-key.ts';
import type { Cached, WorkspaceCache } from '../workspaces/workspace-cache.ts';
import { makeCodeId, revocationsType } from './licence.ts';
import { maxGraceDays, maxValidDays } from './licence-terms.ts';
import { selectRevokedCodes } from './queries.ts';

/** The largest number of ids in a list, which is then about 500 KB. */
const maxRevoked = 20_000;

/** No licence is accepted for longer than this time, so older revocations need not be in the list. */
const windowMs = (maxValidDays + maxGraceDays + 1) * 86_400_000;

const lifeSeconds = 86_400;

export interface Revocations {
  readonly revoked: readonly string[];
  /** Revocations before this time are not in the list. */
  readonly since: Date;
}

export type RevocationFinder = Cached<Revocations>;

export async function selectRevocations(
  db: Queryable,
  of: { workspaceId: bigint; now: Date; limit?: number },
): Promise<Revocations> {
  const { workspaceId, now, limit = maxRevoked } = of;
  const since = new Date(now.getTime() - windowMs);
  const codes = await selectRevokedCodes(db, { workspaceId, since, limit });
  const oldest = codes.length < limit ? undefined : codes.at(-1)?.changedAt;
  return { revoked: codes.map(({ codeHash }) => makeCodeId(codeHash)), since: oldest ?? since };
}

/** The list is loaded at most every 4 s for each workspace. */
export const createRevocationFinder = (
  db: Queryable,
  workspaceCache: WorkspaceCache,
  now: () => Date,
): RevocationFinder =>
  workspaceCache.add({
    topic: 'licences',
    maxEntries: 1000,
    weight: { of: ({ revoked }) => 1 + revoked.length, max: 1_000_000 },
    load: (workspaceId) => selectRevocations(db, { workspaceId, now: now() }),
  });

export function signRevocations(signer: Signer, { revoked, since }: Revocations, issuer: string, now: Date) {
  const iat = Math.floor(now.getTime() / 1000);
  return signJws(signer, revocationsType, {
    iss: issuer,
    iat,
    exp: iat + lifeSeconds,
    since: Math.floor(since.getTime() / 1000),
    revoked,
  });
}
