// The settings of the licensing service in production.
import { expect, it } from 'vitest';
import { readLicensingConfig } from '../../src/config.ts';

const production = {
  NODE_ENV: 'production',
  LICENSING_DATABASE_URL: 'postgres://127.0.0.1/licensing',
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
};

it('the service refuses to start in production without a public URL', () => {
  expect(() => readLicensingConfig(production)).toThrow(
    'LICENSING_PUBLIC_URL is required when NODE_ENV is production',
  );
});

it('the service starts with a public URL; commands and development need no public URL', () => {
  const url = 'https://licensing.example';
  const { publicUrl } = readLicensingConfig({ ...production, LICENSING_PUBLIC_URL: url });
  expect(publicUrl).toBe(url);
  expect(() => readLicensingConfig(production, 'command')).not.toThrow();
  expect(() => readLicensingConfig({ ...production, NODE_ENV: 'test' })).not.toThrow();
});
