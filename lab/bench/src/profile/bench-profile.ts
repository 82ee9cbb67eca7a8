// Profiles the hot path: runs the service under load with Node's profiler and saves the `.cpuprofile`.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLedgerDataset, youngDataset } from '../load-target/dataset.ts';
import { runLoad, withLoadTarget } from '../load-target/load-target.ts';
import { benchDataDir, withPostgres } from '../machine/start-postgres.ts';
import { type BenchOptions, type Measurement, warmUpSeconds } from '../measurement.ts';
import { type CpuProfile, cutStart, listOwnTimes } from './cpu-profile.ts';

const connections = 64;
const shown = 15;

export async function benchProfile(options: BenchOptions): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-profile-'));
  try {
    const done = await withPostgres(options, {}, async (postgres) => {
      const dataset = await openLedgerDataset(postgres, youngDataset, options.say);
      const execArgv = ['--cpu-prof', `--cpu-prof-dir=${folder}`];
      const startedAt = performance.now();
      // Without the bundle, the profile names the files of the service.
      const program = fileURLToPath(import.meta.resolve('@counterfoil/wallet-server/main'));
      return withLoadTarget({ dataset, postgresPid: postgres.pid, execArgv, program }, async (target) => {
        const seconds = Math.max(options.seconds, warmUpSeconds(options));
        options.say(`update_balance under Node's profiler, ${seconds} s …`);
        await runLoad(target, { seconds: warmUpSeconds(options), connections });
        const startMs = performance.now() - startedAt;
        return { ...(await runLoad(target, { seconds, connections })), startMs };
      });
    });
    // Node writes the profile when the service ends.
    const [file = ''] = await readdir(folder);
    const whole = JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile;
    const profile = cutStart(whole, done.startMs * 1000);
    const saved = join(benchDataDir(), 'update_balance.cpuprofile');
    await writeFile(saved, JSON.stringify(profile));
    options.say(
      `${Math.round(done.perSecondDone)} update_balance/s, ${connections} connections. ` +
        `Open ${saved} in the Performance panel of Chrome or in VS Code.`,
    );
    return listOwnTimes(profile)
      .slice(0, shown)
      .map(({ name, part }, i) => ({
        id: `profile.${i + 1}`,
        title: name,
        value: part * 100,
        unit: '%',
      }));
  } finally {
    await rm(folder, { recursive: true });
  }
}
