// The Idempotency-Key of a request: its header, and the keyed hash under which it is stored.
import { createHmac } from 'node:crypto';
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { Type } from 'typebox';

/** Without a description of its own the header has the one of the glossary. */
export const IdempotencyHeaders = (description?: string) =>
  Type.Object({
    'idempotency-key': Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        ...(description !== undefined && { description }),
      }),
    ),
  });

/** Of the key, or of what came with it. */
export const hashForRepetition = (masterKey: MasterKey, text: string): Buffer =>
  createHmac('sha256', masterKey.derive('idempotency-key')).update(text, 'utf8').digest();
