// Hashes passwords with argon2id, few at a time, so that many concurrent sign-ins do not use the whole
// processor.
import { hash, verify } from '@node-rs/argon2';
import { normalisePassword } from './password.ts';

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(encoded: string, password: string): Promise<boolean>;
}

/** OWASP's recommendation for argon2id and the default of the library: 19 MiB, two passes. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/**
 * If the e-mail is unknown or the person has no password, the given password is checked against this hash.
 * The answer then takes as long as for a known e-mail. No password matches this hash, because its digest
 * consists of random bytes.
 */
export const unmatchableHash = [
  '$argon2id$v=19$m=19456,t=2,p=1',
  '1269BT31kFgwHVwXzt3dhA',
  '/63xNKbhx8wRJFh9Sdeokzk/9baioEtPqN4l0eHL0ws',
].join('$');

/**
 * Creates the hasher. By default, at most two hashes run at the same time, because each hash occupies one of
 * libuv's four threads. The other two threads stay free for files and name look-ups. While 64 calls wait,
 * which is the default limit, each new call fails with the error that `overloaded` returns.
 */
export function createPasswordHasher(options: {
  readonly overloaded: () => Error;
  readonly concurrency?: number;
  readonly maxWaiting?: number;
}): PasswordHasher {
  const { overloaded, concurrency = 2, maxWaiting = 64 } = options;
  const waiting: (() => void)[] = [];
  let running = 0;

  const withPermit = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < concurrency) running++;
    else if (waiting.length >= maxWaiting) throw overloaded();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The next waiting call takes over this permit, so `running` does not change.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };

  return {
    hash: (password) => withPermit(() => hash(normalisePassword(password), parameters)),
    verify: (encoded, password) => withPermit(() => verify(encoded, normalisePassword(password))),
  };
}
