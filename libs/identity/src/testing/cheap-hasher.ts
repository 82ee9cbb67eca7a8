// Hashes the passwords of tests with the lowest cost of argon2. With the product's cost, a hash and a sign-in
// together take 42 ms.
import { hash } from '@node-rs/argon2';
import { normalisePassword } from '../passwords/password.ts';
import { createPasswordHasher, type PasswordHasher } from '../passwords/password-hasher.ts';

const lowestCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

const { verify } = createPasswordHasher({ overloaded: () => new Error('too busy') });

/** The tests in password-hasher.test.ts check the cost of the product. */
export const cheapHasher: PasswordHasher = {
  hash: (password) => hash(normalisePassword(password), lowestCost),
  verify,
};
