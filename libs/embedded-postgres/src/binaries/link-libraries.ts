// Creates symlinks to libraries. The npm package lists the required symlinks in native/pg-symlinks.json.
import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { errorCode } from '@counterfoil/kit/process/files';

/**
 * Creates the missing symlinks. npm packages contain no symlinks, and npm 11 does not run the install script
 * that would create them. Returns false if symlinks are missing and cannot be created. Two processes may call
 * this function at the same time.
 */
export async function linkLibraries(packageDir: string): Promise<boolean> {
  for (const { source, target } of await readLinks(packageDir)) {
    const path = join(packageDir, target);
    if (existsSync(path)) continue;
    try {
      await symlink(relative(dirname(target), source), path);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') return false;
    }
  }
  return true;
}

async function readLinks(packageDir: string): Promise<{ source: string; target: string }[]> {
  const path = join(packageDir, 'native', 'pg-symlinks.json');
  const links: unknown = JSON.parse(await readFile(path, 'utf8').catch(() => '[]'));
  return (Array.isArray(links) ? links : []).filter(
    (link) => typeof link?.source === 'string' && typeof link.target === 'string',
  );
}
