// Rows become objects of the domain.
import { expect, it } from 'vitest';
import { fromRow } from './from-row.ts';

it('names fields in camelCase and leaves values as they are', () => {
  const created_at = new Date(0);
  const secret_hash = Buffer.from('x');
  const row = { id: 7n, api_key: 'k', created_at, secret_hash, details: { old_name: null } };
  expect(fromRow(row)).toEqual({
    id: 7n,
    apiKey: 'k',
    createdAt: created_at,
    secretHash: secret_hash,
    details: { old_name: null },
  });
});

it('returns undefined for null, and keeps zero, false and empty texts', () => {
  const row = { revoked_at: null, balance: 0n, total: 0, is_pending: false, note: '' };
  expect(fromRow(row)).toStrictEqual({
    revokedAt: undefined,
    balance: 0n,
    total: 0,
    isPending: false,
    note: '',
  });
});
