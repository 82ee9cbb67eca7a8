// The bill of materials as CycloneDX, read from the lock file, and the licences that we may ship.

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
}

export interface LockFile {
  readonly name: string;
  readonly version: string;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface Component {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly integrity: string;
  readonly resolved: string;
  readonly scope: 'required' | 'optional' | 'excluded';
}

/** Licences that require only attribution. MPL-2.0 requires more, but only for the files under MPL-2.0. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  // The licence of libvips, which sharp loads as a shared library of its own npm package.
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'PSF-2.0',
  'Unlicense',
  'Zlib',
]);

export function listComponents(lock: LockFile): Component[] {
  return Object.entries(lock.packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, locked]): Component => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const scope = locked.dev ? 'excluded' : locked.optional ? 'optional' : 'required';
      const { version = '', license = '', integrity = '', resolved = '' } = locked;
      return { name, version, license, integrity, resolved, scope };
    })
    .sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

/** `(MIT OR GPL-3.0)` is allowed, because MIT can be chosen. In an AND, every part must be allowed. */
export function isLicenceAllowed(expression: string): boolean {
  const plain = expression.replace(/[()]/g, '').trim();
  if (plain === '') return false;
  return plain
    .split(/\s+OR\s+/)
    .some((either) => either.split(/\s+AND\s+/).every((each) => allowed.has(each.trim())));
}

/** Describes each reason why an npm package must not be shipped with the product. */
export function findMaterialProblems(components: readonly Component[]): string[] {
  return components.flatMap(({ name, version, license, integrity, resolved }) => [
    ...(isLicenceAllowed(license) ? [] : [`${name}@${version}: licence ${license || 'unknown'}`]),
    ...(/^sha512-/.test(integrity) ? [] : [`${name}@${version}: no digest`]),
    // An empty address is accepted: npm omits the address from the lock file if the npm package is from the
    // configured registry.
    ...(/^(?:https:\/\/.*\.tgz)?$/.test(resolved) ? [] : [`${name}@${version}: not from a registry`]),
  ]);
}

const purl = ({ name, version }: Component) =>
  `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`;

/** The bill contains no time and no path, so the same lock file always gives the same bill. */
export function makeBill(lock: LockFile): object {
  const product = { type: 'application', name: lock.name, version: lock.version };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { ...product, licenses: [{ license: { id: 'MIT' } }] } },
    components: listComponents(lock).map((each) => ({
      type: 'library',
      'bom-ref': purl(each),
      name: each.name,
      version: each.version,
      scope: each.scope,
      purl: purl(each),
      licenses: [{ expression: each.license.replace(/^\((.*)\)$/, '$1') }],
      hashes: [
        {
          alg: 'SHA-512',
          content: Buffer.from(each.integrity.replace(/^sha512-/, ''), 'base64').toString('hex'),
        },
      ],
    })),
  };
}
