// Starts three PostgreSQL nodes under Patroni with etcd, HAProxy and PgBouncer on this machine.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDb } from '@counterfoil/kit/postgres/db';
import { fillTemplate } from './fill-template.ts';
import { findPrograms, type Programs } from './programs.ts';
import {
  endProcessTree,
  findFreePorts,
  type Program,
  type TestEnvironment,
  waitFor,
} from './test-environment.ts';

const host = '127.0.0.1';

interface Node {
  readonly name: string;
  readonly restPort: number;
  readonly pgPort: number;
  readonly dataDir: string;
  patroni: Program | undefined;
}

export interface Cluster {
  readonly nodes: readonly Node[];
  /** The values that are filled into the templates of deploy/ha. */
  readonly values: Readonly<Record<string, string | number>>;
  findLeader(): Promise<Node | undefined>;
  /** Waits until all nodes run and one is a synchronous standby, and returns the leader. */
  waitUntilWhole(): Promise<Node>;
  /** Kills the node's Patroni and all processes of its PostgreSQL with SIGKILL. */
  kill(node: Node): Promise<void>;
  restart(node: Node): Promise<void>;
}

export async function startCluster(
  environment: TestEnvironment,
  servicePorts: ServicePorts,
): Promise<Cluster> {
  const programs = findPrograms(['patroni', 'etcd', 'haproxy', 'pgbouncer', 'postgresBin']);
  const values = await chooseValues(environment, programs, servicePorts);
  const nodes = await planNodes(environment);
  await startEtcd(environment, programs, values);
  const restart = async (node: Node): Promise<void> => {
    const { name, restPort, pgPort, dataDir } = node;
    const own = { NODE_NAME: name, REST_PORT: restPort, PG_PORT: pgPort, DATA_DIR: dataDir };
    const config = await environment.write(
      `${name}.yml`,
      await fillTemplate('patroni.yml', { ...values, ...own }),
    );
    const { patroni: file } = programs;
    node.patroni = environment.start({ name, file, args: [config], asUser: true });
  };
  // Cleanup functions run in reverse order of registration. This function is registered before the Patroni
  // processes start, so the function runs after the Patroni processes have stopped.
  environment.later(async () => {
    for (const node of nodes) await endPostgres(node);
  });
  for (const node of nodes) await restart(node);
  await startProxies(environment, programs, { values, nodes, servicePorts });
  const findLeader = async () => {
    for (const node of nodes) {
      const role = (await askNode(node, '/primary'))?.role ?? '';
      // The role of the leader in Patroni's answers: Patroni 4 uses `primary`, earlier versions `master`.
      if (['primary', 'master'].includes(role)) return node;
    }
    return undefined;
  };
  const waitUntilWhole = () =>
    waitFor(
      'a leader with its standbys',
      async () => {
        const leader = await findLeader();
        return leader && (await isWhole(leader, nodes.length)) ? leader : undefined;
      },
      180_000,
    );
  return {
    nodes,
    values,
    findLeader,
    waitUntilWhole,
    restart,
    kill: async (node) => {
      await node.patroni?.kill();
      await endPostgres(node);
    },
  };
}

export interface ServicePorts {
  readonly wallet: readonly number[];
}

async function chooseValues(
  environment: TestEnvironment,
  programs: Pick<Programs, 'postgresBin'>,
  servicePorts: ServicePorts,
): Promise<Record<string, string | number>> {
  const [etcd = 0, peer = 0, leader = 0, standby = 0, wallet = 0, licensing = 0, pooler = 0] =
    await findFreePorts(7);
  const secret = () => randomBytes(16).toString('hex');
  return {
    NODE_HOST: host,
    PROXY_HOST: host,
    POOLER_HOST: host,
    SERVICE_HOST: host,
    ETCD_HOST: host,
    ETCD_NAME: 'etcd1',
    ETCD_PORT: etcd,
    ETCD_PEER_PORT: peer,
    ETCD_HOSTS: `${host}:${etcd}`,
    ETCD_DIR: join(environment.folder, 'etcd'),
    ETCD_MEMBERS: `etcd1=http://${host}:${peer}`,
    // These times are shorter than in production. Production uses 20, 5 and 5 s, so that a short pause causes
    // no failover.
    TTL_SECONDS: 10,
    LOOP_SECONDS: 2,
    RETRY_SECONDS: 3,
    WATCHDOG: 'off',
    NODES_RANGE: `${host}/32`,
    CLIENTS_RANGE: `${host}/32`,
    RUN_DIR: environment.folder,
    PG_BIN_DIR: programs.postgresBin,
    SUPERUSER_PASSWORD: secret(),
    REPLICATION_PASSWORD: secret(),
    DATABASE_PASSWORD: secret(),
    LEADER_PORT: leader,
    STANDBY_PORT: standby,
    POOLER_PORT: pooler,
    WALLET_PROXY_PORT: wallet,
    LICENSING_PROXY_PORT: licensing,
    SERVICE_PORT: servicePorts.wallet[0] ?? 0,
    PROCESSES: 1,
    // Each service is one process, and HAProxy uses its port. Old versions have no other port.
    WALLET_PROCESS_PORT: '',
    FILES_DIR: join(environment.folder, 'files'),
  };
}

async function planNodes(environment: TestEnvironment): Promise<Node[]> {
  const ports = await findFreePorts(6);
  return [0, 1, 2].map((i) => ({
    name: `node${i + 1}`,
    restPort: ports[2 * i] ?? 0,
    pgPort: ports[2 * i + 1] ?? 0,
    dataDir: join(environment.folder, `node${i + 1}`),
    patroni: undefined,
  }));
}

type Values = Readonly<Record<string, string | number>>;

async function startEtcd(environment: TestEnvironment, programs: Pick<Programs, 'etcd'>, values: Values) {
  const config = await environment.write('etcd.yml', await fillTemplate('etcd.conf.yml', values));
  const { etcd: file } = programs;
  environment.start({ name: 'etcd', file, args: ['--config-file', config], asUser: true });
  await waitFor('etcd', async () => {
    const answer = await fetch(`http://${host}:${values.ETCD_PORT}/health`);
    return answer.ok || undefined;
  });
}

async function startProxies(
  environment: TestEnvironment,
  programs: Pick<Programs, 'haproxy' | 'pgbouncer'>,
  given: { values: Values; nodes: readonly Node[]; servicePorts: ServicePorts },
): Promise<void> {
  const { values, nodes } = given;
  const line = (name: string, port: number, check = '') => `    server ${name} ${host}:${port} check${check}`;
  const config = await fillTemplate('haproxy.cfg', {
    ...values,
    LEADER_SERVERS: nodes
      .map(({ name, pgPort, restPort }) => line(name, pgPort, ` port ${restPort}`))
      .join('\n'),
    WALLET_SERVERS: given.servicePorts.wallet.map((port, i) => line(`wallet${i + 1}`, port)).join('\n'),
    LICENSING_SERVERS: '',
  });
  const haproxy = await environment.write('haproxy.cfg', config);
  environment.start({
    name: 'haproxy',
    file: programs.haproxy,
    args: ['-f', haproxy],
    asUser: true,
  });
  await environment.write('userlist.txt', `"counterfoil" "${values.DATABASE_PASSWORD}"\n`);
  const pooler = await environment.write('pgbouncer.ini', await fillTemplate('pgbouncer.ini', values));
  environment.start({ name: 'pgbouncer', file: programs.pgbouncer, args: [pooler], asUser: true });
}

interface NodeAnswer {
  readonly role?: string;
  readonly members?: readonly { role: string; state: string }[];
}

async function askNode(node: Node, path: string): Promise<NodeAnswer | undefined> {
  try {
    const answer = await fetch(`http://${host}:${node.restPort}${path}`, {
      signal: AbortSignal.timeout(2000),
    });
    return answer.ok ? ((await answer.json()) as NodeAnswer) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether all nodes run and one of them is the synchronous standby. */
async function isWhole(leader: Node, count: number): Promise<boolean> {
  const members = (await askNode(leader, '/cluster'))?.members ?? [];
  const standbys = members.filter(({ role }) => role !== 'leader');
  return (
    members.length === count &&
    standbys.every(({ state }) => state === 'running' || state === 'streaming') &&
    standbys.some(({ role }) => role === 'sync_standby')
  );
}

async function endPostgres(node: Node): Promise<void> {
  const text = await readFile(join(node.dataDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  if (pid > 1) await endProcessTree(pid);
}

/**
 * Creates the databases and the services' role. The timeouts are settings of the role, so that they also
 * apply to statements through the pooler.
 */
export async function createRole(cluster: Cluster): Promise<void> {
  const { SUPERUSER_PASSWORD, LEADER_PORT, DATABASE_PASSWORD } = cluster.values;
  const url = `postgres://postgres:${SUPERUSER_PASSWORD}@${host}:${LEADER_PORT}/postgres`;
  const db = openDb({ url, applicationName: 'ha set-up', queryTimeoutMs: 30_000 });
  try {
    await waitFor('the leader behind HAProxy', async () => {
      await db.query('select 1');
      return true;
    });
    await db.query(`create role counterfoil login password '${DATABASE_PASSWORD}'`);
    await db.query(`alter role counterfoil set statement_timeout = '3s'`);
    await db.query(`alter role counterfoil set lock_timeout = '1500ms'`);
    await db.query(`alter role counterfoil set idle_in_transaction_session_timeout = '10s'`);
    for (const name of ['wallet', 'licensing']) {
      await db.query(`create database ${name} owner counterfoil`);
    }
  } finally {
    await db.end();
  }
}
