// Records the codes that the sign-in of buyers refused, for the page of likely abuse of the attacked seller.
import { makeCodeHint } from '../purchases/code.ts';
import type { UsageSink } from '../usage/usage-sink.ts';

/** The number of sign-ins whose sellers one process remembers. */
const maxRemembered = 10_000;

interface SignInAttempt {
  readonly email: string;
  readonly address: string;
  readonly sellerId: bigint | undefined;
}

export type RefusedSignIns = ReturnType<typeof createRefusedSignIns>;

export function createRefusedSignIns({ usage, now }: { usage: UsageSink; now: () => Date }) {
  const attacked = new Map<string, readonly bigint[]>();
  const nameOf = ({ email, sellerId }: SignInAttempt) => `${sellerId ?? ''} ${email}`;
  const record = ({ address }: SignInAttempt, codeHint: string, workspaceIds: readonly bigint[]) => {
    for (const workspaceId of workspaceIds) {
      usage.onRefusedCode({ workspaceId, address, at: now(), codeHint });
    }
  };
  return {
    /** Records a refused code for the workspaces that the search has found. */
    record: (attempt: SignInAttempt, code: string, workspaceIds: readonly bigint[]): void => {
      const name = nameOf(attempt);
      attacked.delete(name);
      attacked.set(name, workspaceIds);
      const [oldest] = attacked.keys();
      if (attacked.size > maxRemembered && oldest !== undefined) attacked.delete(oldest);
      record(attempt, makeCodeHint(code), workspaceIds);
    },
    /**
     * Records an attempt that a rate limit has refused. Such an attempt causes no search. It counts for the
     * workspaces of the last refused code with the same e-mail. The code is not recorded, so that all limited
     * attempts of an address in an hour need one row.
     */
    recordLimited: (attempt: SignInAttempt): void => record(attempt, '', attacked.get(nameOf(attempt)) ?? []),
  };
}
