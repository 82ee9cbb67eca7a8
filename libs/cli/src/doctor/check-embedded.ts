// Checks the PostgreSQL of `npm start`, without starting or changing it.
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterDirOf } from '@counterfoil/embedded-postgres/cluster/cluster-home';
import { findPostmasterFile, isPostgresOf } from '@counterfoil/embedded-postgres/postmaster/postmaster-file';
import { readKeptFile } from '@counterfoil/kit/process/files';
import { type Finding, ok, problem, warning } from './finding.ts';

const check = 'own PostgreSQL';

const notRunning = (finding: Finding) => ({ finding, runs: false });

export async function checkEmbedded(
  dataDir: string,
  { isUsed, servicesRun }: { isUsed: boolean; servicesRun: boolean },
) {
  if (!isUsed) return notRunning(ok(check, 'not used: the settings name both databases'));
  try {
    return await examineCluster(dataDir, servicesRun);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const says = `its state in ${dataDir} cannot be read (${code})`;
    return notRunning(warning(check, says, 'Run the doctor as the user that runs the services.'));
  }
}

async function examineCluster(dataDir: string, servicesRun: boolean) {
  const elsewhere = await readKeptFile(join(dataDir, 'postgres-location'));
  const clusterDir = await realpath(clusterDirOf(elsewhere ?? dataDir)).catch(() => undefined);
  if (clusterDir === undefined && elsewhere === undefined) {
    return notRunning(ok(check, 'does not exist yet; the first start creates it'));
  }
  if (clusterDir === undefined) {
    const advice = `Restore ${elsewhere}; without this folder the next start fails.`;
    return notRunning(problem(check, `its folder ${elsewhere} is gone`, advice));
  }
  const file = await findPostmasterFile(clusterDir);
  if (file === undefined) return notRunning(ok(check, 'stopped'));
  if (!(await isPostgresOf(file.pid, clusterDir))) {
    const says = 'it was killed, or the machine stopped, while it ran';
    return notRunning(warning(check, says, 'The next start recovers it automatically.'));
  }
  const says = `runs as process ${file.pid}`;
  if (servicesRun) return { finding: ok(check, says), runs: true };
  const advice = 'This is normal during a start. Otherwise no action is needed: the next start stops it.';
  return { finding: warning(check, `${says}, without the services`, advice), runs: true };
}
