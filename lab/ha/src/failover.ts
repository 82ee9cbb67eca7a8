// `npm run ha`: kills the leader repeatedly under load, and reports losses and pauses.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { type Books, makeBooks } from './books.ts';
import { checkSettled, describeVerdict, isClean } from './check-settled.ts';
import { type Cluster, createRole, startCluster } from './cluster.ts';
import { fillTemplate } from './fill-template.ts';
import { type Load, startLoad } from './load.ts';
import { findFreePorts, type TestEnvironment, waitFor } from './test-environment.ts';
import { startWallet, type WalletService } from './wallet-service.ts';

export interface FailoverOptions {
  readonly kills: number;
  readonly callers: number;
  /** Duration of the load before each kill and after the recovery. */
  readonly seconds: number;
  readonly say: (line: string) => void;
}

interface Pause {
  readonly killed: string;
  readonly leads: string;
  readonly ms: number;
}

/**
 * Kills the leader repeatedly under load. Returns true if nothing was lost, the ledger is correct, and no
 * service was restarted.
 */
export async function runFailover(environment: TestEnvironment, options: FailoverOptions): Promise<boolean> {
  const { say } = options;
  const ports = await findFreePorts(2);
  say('Starting etcd, three PostgreSQL nodes under Patroni, HAProxy and PgBouncer …');
  const cluster = await startCluster(environment, { wallet: ports });
  const leader = await cluster.waitUntilWhole();
  say(`  ${leader.name} is the leader, with a synchronous standby.`);
  await createRole(cluster);

  const { services, env, masterKey } = await startServices(environment, cluster, ports);
  const books = await makeBooks(env.WALLET_DATABASE_DIRECT_URL ?? '', masterKey);
  const address = `http://127.0.0.1:${cluster.values.WALLET_PROXY_PORT}`;
  await waitFor('the services behind HAProxy', async () => {
    return (await fetch(`${address}/readyz`)).ok || undefined;
  });
  const pids = services.map(({ program }) => program.child.pid);
  const load = startLoad({ books, addresses: [address], callers: options.callers });
  const pauses: Pause[] = [];
  for (let kill = 1; kill <= options.kills; kill++) {
    await sleep(options.seconds * 1000);
    const pause = await killLeader(cluster, load, options.seconds);
    pauses.push(pause);
    say(
      `  ${kill}. kill -9 of ${pause.killed}: ${pause.leads} is the new leader; writes paused for ` +
        `${(pause.ms / 1000).toFixed(1)} s`,
    );
    await cluster.waitUntilWhole();
  }
  await sleep(options.seconds * 1000);
  await load.stop();
  const sameProcesses = services.every(
    ({ program }, i) => program.isRunning() && program.child.pid === pids[i],
  );
  const [service] = services;
  return report(options, { load, books, pauses, sameProcesses, service, env });
}

async function startServices(environment: TestEnvironment, cluster: Cluster, ports: readonly number[]) {
  const masterKey = randomBytes(32).toString('base64');
  const MASTER_KEY_FILE = await environment.write('master.key', masterKey);
  const { PROXY_HOST, WALLET_PROXY_PORT } = cluster.values;
  const filled = await fillTemplate('wallet.env', {
    ...cluster.values,
    MASTER_KEY_FILE,
    METRICS_TOKEN: randomBytes(16).toString('hex'),
    WALLET_PUBLIC_URL: `http://${PROXY_HOST}:${WALLET_PROXY_PORT}`,
    // The provider's address is never called, because no games are played.
    PROVIDER_PRIVATE_URL: 'http://127.0.0.1:9',
    PROVIDER_PUBLIC_URL: 'http://127.0.0.1:9',
    PROVIDER_API_TOKEN: '',
  });
  const env = parseEnv(filled) as Record<string, string>;
  const services: WalletService[] = [];
  for (const [i, port] of ports.entries()) {
    services.push(await startWallet(environment, { name: `wallet${i + 1}`, port, env }));
  }
  return { services, env, masterKey };
}

async function killLeader(cluster: Cluster, load: Load, seconds: number): Promise<Pause> {
  const victim = await waitFor('a leader', () => cluster.findLeader());
  const killedAt = performance.now();
  await cluster.kill(victim);
  const next = await waitFor(
    'another leader',
    async () => {
      const leader = await cluster.findLeader();
      return leader && leader !== victim ? leader : undefined;
    },
    120_000,
  );
  // Answers to requests that were in flight when the leader died do not count as recovery.
  const leadsSince = performance.now();
  const resumed = () => load.settled.some(({ at }) => at > leadsSince);
  await waitFor('writes to resume', async () => resumed() || undefined, 120_000);
  await sleep(seconds * 1000);
  await cluster.restart(victim);
  return { killed: victim.name, leads: next.name, ms: findLongestGap(load, killedAt) };
}

/** The longest time between two successive final answers, counting answers from 500 ms before the kill on. */
function findLongestGap(load: Load, killedAt: number): number {
  const times = load.settled.map(({ at }) => at).filter((at) => at > killedAt - 500);
  return times.reduce((longest, at, i) => Math.max(longest, at - (times[i - 1] ?? at)), 0);
}

async function report(
  options: FailoverOptions,
  run: {
    load: Load;
    books: Books;
    pauses: readonly Pause[];
    sameProcesses: boolean;
    service: WalletService | undefined;
    env: Record<string, string>;
  },
): Promise<boolean> {
  const { load, books, env } = run;
  const verdict = await checkSettled(env.WALLET_DATABASE_DIRECT_URL ?? '', books, load);
  const longest = Math.max(0, ...run.pauses.map(({ ms }) => ms));
  options.say(
    [
      '',
      `${run.pauses.length} leaders killed under the load of ${options.callers} callers:`,
      describeVerdict(verdict),
      `  repeated            ${load.counts.retries} times (${load.counts.unreachable} without any answer)`,
      `  longest pause       ${(longest / 1000).toFixed(1)} s`,
      `  replica             ${await describeLag(run.service, env)}`,
      `  services            ${run.sameProcesses ? 'recovered without a restart' : 'were restarted'}`,
    ].join('\n'),
  );
  return isClean(verdict) && run.sameProcesses;
}

/** The lag of the standby, as reported by the service that reads from the standby. */
async function describeLag(service: WalletService | undefined, env: Record<string, string>): Promise<string> {
  const answer = await fetch(`${service?.address}/metrics`, {
    headers: { authorization: `Bearer ${env.METRICS_TOKEN}` },
  });
  const lag = /^replica_lag_seconds\S* (\S+)/m.exec(await answer.text())?.[1];
  return lag === undefined ? 'not measured' : `at most ${Number(lag).toFixed(1)} s behind`;
}
