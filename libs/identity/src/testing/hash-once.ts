// Hashes each password of a test run once, because argon2 takes 30 ms and most tests need a person.
import { createPasswordHasher, type PasswordHasher } from '../passwords/password-hasher.ts';

const hasher = createPasswordHasher({ overloaded: () => new Error('too busy') });
const hashes = new Map<string, Promise<string>>();

export const hashOnce: PasswordHasher = {
  hash: (password) => {
    const hash = hashes.get(password) ?? hasher.hash(password);
    hashes.set(password, hash);
    return hash;
  },
  verify: hasher.verify,
};
