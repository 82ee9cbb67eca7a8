// Lets a request in by its bearer token, compared in constant time.
import { createHash } from 'node:crypto';
import { equalsInConstantTime } from '@counterfoil/kit/crypto/secrets';
import type { onRequestHookHandler } from 'fastify';
import { fail } from './errors.ts';

const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest();

export function requireBearer(token: string): onRequestHookHandler {
  const wanted = digest(`Bearer ${token}`);
  return (request, _reply, done) => {
    const given = digest(request.headers.authorization ?? '');
    if (equalsInConstantTime(given, wanted)) done();
    else done(fail('auth_invalid', { headers: { 'www-authenticate': 'Bearer' } }));
  };
}
