// argon2id with limited concurrency, so that a flood of sign-ins does not use up the processor.
import { hash, verify } from '@node-rs/argon2';
import { normalisePassword } from './password.ts';

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(encoded: string, password: string): Promise<boolean>;
}

/** As OWASP recommends for argon2id, which is the library's default: 19 MiB, two passes. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/**
 * Verified in place of a hash that is not there, so that an unknown e-mail costs the same work.
 * The digest is random bytes: nobody knows a password for it.
 */
export const unmatchableHash = [
  '$argon2id$v=19$m=19456,t=2,p=1',
  '1269BT31kFgwHVwXzt3dhA',
  '/63xNKbhx8wRJFh9Sdeokzk/9baioEtPqN4l0eHL0ws',
].join('$');

/** At most two at once leaves the other threads of libuv's four to files and name look-ups. */
export function createPasswordHasher(options: {
  readonly overloaded: () => Error;
  readonly concurrency?: number;
  readonly maxWaiting?: number;
}): PasswordHasher {
  const { overloaded, concurrency = 2, maxWaiting = 64 } = options;
  const waiting: (() => void)[] = [];
  let running = 0;

  const limit = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < concurrency) running++;
    else if (waiting.length >= maxWaiting) throw overloaded();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The slot passes to the next waiting call without becoming free.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };

  return {
    hash: (password) => limit(() => hash(normalisePassword(password), parameters)),
    verify: (encoded, password) => limit(() => verify(encoded, normalisePassword(password))),
  };
}
