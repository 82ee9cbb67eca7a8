// The published packages are complete, have no dependencies, and load in plain Node.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folderOf = (name: string) => `${root}/libs/sdk-${name}`;
const read = (name: string) => JSON.parse(readFileSync(`${folderOf(name)}/package.json`, 'utf8'));
/** Whether the package is built. `npm test` builds it before the tests; `npx vitest` does not. */
const isBuilt = (name: string) => existsSync(`${folderOf(name)}/${read(name).exports['.'].default}`);

describe.each([
  ['wallet', ['createWallet', 'createCallbackSecurity', 'verifyWebhook', 'CounterfoilError']],
  ['licensing', ['createLicensing', 'createMemoryCache', 'verifyWebhook', 'CounterfoilError']],
])('the package @counterfoil/%s', (name, exported) => {
  it('the package is public, has no dependencies, and publishes only its build', () => {
    const { private: isPrivate, dependencies, engines, files } = read(name);
    expect({ isPrivate, dependencies }).toEqual({});
    expect(engines.node).toBe('>=20.19');
    expect(files).toEqual(['dist/**/*.js', 'dist/**/*.d.ts']);
  });

  it.runIf(isBuilt(name))('the package can be imported by its name in plain Node', () => {
    const script = `process.stdout.write(Object.keys(await import('@counterfoil/${name}')).join())`;
    const args = ['--input-type=module', '--eval', script];
    const keys = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }).split(',');
    expect(keys).toEqual(expect.arrayContaining(exported));
    const { types } = read(name).exports['.'];
    expect(existsSync(`${folderOf(name)}/${types}`)).toBe(true);
  });
});
