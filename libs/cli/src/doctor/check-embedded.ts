// The state of the PostgreSQL that npm start brings along, without waking or touching it.
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterDirOf } from '@counterfoil/embedded-postgres/cluster/cluster-home';
import {
  findPostmasterFile,
  isPostgresOf,
} from '@counterfoil/embedded-postgres/postmaster/postmaster-file';
import { readKeptFile } from '@counterfoil/kit/process/files';
import { type Finding, ok, problem, warning } from './finding.ts';

const check = 'own PostgreSQL';

export interface Embedded {
  readonly finding: Finding;
  readonly runs: boolean;
}

export async function checkEmbedded(
  dataDir: string,
  { isUsed, servicesRun }: { isUsed: boolean; servicesRun: boolean },
): Promise<Embedded> {
  if (!isUsed) {
    return { finding: ok(check, 'not used: both databases are named by settings'), runs: false };
  }
  try {
    return await look(dataDir, servicesRun);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const says = `its state in ${dataDir} can not be read (${code})`;
    return {
      finding: warning(check, says, 'Run the doctor as the user that runs the services.'),
      runs: false,
    };
  }
}

async function look(dataDir: string, servicesRun: boolean): Promise<Embedded> {
  const elsewhere = await readKeptFile(join(dataDir, 'postgres-location'));
  const home = elsewhere ?? dataDir;
  const clusterDir = await realpath(clusterDirOf(home)).catch(() => undefined);
  if (clusterDir === undefined) {
    if (elsewhere === undefined) {
      return { finding: ok(check, 'not there yet; the first start makes it'), runs: false };
    }
    const advice = `Bring ${elsewhere} back; without it the next start refuses.`;
    return { finding: problem(check, `its folder ${elsewhere} is gone`, advice), runs: false };
  }
  const file = await findPostmasterFile(clusterDir);
  if (file === undefined) return { finding: ok(check, 'stopped'), runs: false };
  if (!(await isPostgresOf(file.pid, clusterDir))) {
    const says = 'it was killed, or the machine stopped, while it ran';
    return { finding: warning(check, says, 'The next start recovers by itself.'), runs: false };
  }
  const says = `runs as process ${file.pid}`;
  if (servicesRun) return { finding: ok(check, says), runs: true };
  const advice = 'A start under way is all right; one left behind is stopped by the next start.';
  return { finding: warning(check, `${says}, without the services`, advice), runs: true };
}
