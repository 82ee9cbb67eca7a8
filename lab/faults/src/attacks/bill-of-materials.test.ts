// Every installed npm package has a digest, a registry as its source and an allowed licence.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  findMaterialProblems,
  isLicenceAllowed,
  type LockFile,
  listComponents,
  makeBill,
} from './bill-of-materials.ts';

const file = new URL('../../../../package-lock.json', import.meta.url);
const lock: LockFile = JSON.parse(readFileSync(file, 'utf8'));

describe('the lock file', () => {
  it('all npm packages in the lock file are from a registry, with digest and allowed licence', () => {
    const components = listComponents(lock);
    expect(components.length).toBeGreaterThan(200);
    expect(findMaterialProblems(components)).toEqual([]);
  });

  it('the lock file gives the same bill of materials each time', () => {
    const bill = makeBill(lock) as { components: { purl: string }[] };
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' });
    expect(bill.components.map((each) => each.purl)).toContain('pkg:npm/fastify@5.12.8');
    expect(JSON.stringify(makeBill(lock))).toBe(JSON.stringify(bill));
  });
});

describe('an npm package', () => {
  const good = { version: '1.0.0', license: 'MIT', integrity: 'sha512-AA==' };
  const resolved = 'https://registry.example/a.tgz';
  it.each([
    ['a copyleft licence', { ...good, resolved, license: 'AGPL-3.0' }],
    ['no licence', { ...good, resolved, license: '' }],
    ['one allowed and one forbidden licence', { ...good, resolved, license: 'MIT AND GPL-3.0' }],
    ['no digest', { ...good, resolved, integrity: '' }],
    ['a git repository as its source', { ...good, resolved: 'git+ssh://git@x.example/a.git' }],
  ])('an npm package is reported if it has %s', (_title, planted) => {
    const packages = { 'node_modules/a': planted };
    const found = findMaterialProblems(listComponents({ name: 'x', version: '1', packages }));
    expect(found).toHaveLength(1);
  });

  it('an npm package is allowed if one of its alternative licences is allowed', () => {
    expect(isLicenceAllowed('(GPL-3.0 OR MIT)')).toBe(true);
  });
});
