// PostgreSQL is killed in three ways while providers play in each dialect: no answered call is lost.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareTemplates } from '@counterfoil/kit/testing/databases';
import { findFreePort } from '@counterfoil/kit/testing/free-port';
import { afterAll, beforeAll, it } from 'vitest';
import { dialectNames } from '../../../../services/wallet/server/src/connections/dialects/dialect.ts';
import { expectNothingLost } from '../../../../services/wallet/server/test/connections/kill-dialects.ts';
import { type Given, givenWallet } from '../../../../services/wallet/server/test/environment/given.ts';
import {
  startVictim,
  type Victim,
} from '../../../../services/wallet/server/test/environment/service-processes.ts';
import { type PostgresProcess, startPostgresProcess } from '../../src/environment/postgres.ts';

const ways = ['kill-all', 'kill-postmaster', 'immediate'] as const;

let dataDir: string;
let postgres: PostgresProcess;
let given: Given;
let service: Victim;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'counterfoil-crashes-'));
  // If the test runs as root, PostgreSQL runs as another user, and this user must be able to reach the
  // folder.
  await chmod(dataDir, 0o755);
  // The port is in this file, so that PostgreSQL has the same port after a restart.
  await writeFile(join(dataDir, 'postgres-port'), `${await findFreePort()}\n`);
  postgres = await startPostgresProcess({ dataDir, settings: { max_connections: '100' } });
  const folders = ['libs/kit/migrations', 'services/wallet/server/migrations'];
  const server = await prepareTemplates(postgres.url('postgres'), [{ name: 'wallet', folders }], true);
  given = await givenWallet({}, {}, undefined, { server });
  // A call that waits for a connection to a killed server fails only at its deadline, and is then repeated.
  // The test suite makes deadlines 60 times as long, which would slow this test down. So the factor is 4
  // here.
  service = await startVictim(given, { DEADLINE_FACTOR: '4' });
});

afterAll(async () => {
  await service?.kill();
  await given?.close();
  await postgres?.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

it.each(dialectNames)(
  'after 3 crashes of PostgreSQL with 12 callers in the dialect %s, every answered call is stored once',
  (dialect) => {
    let crashes = 0;
    const crash = () => postgres.crash(ways[crashes++ % ways.length] ?? 'immediate');
    return expectNothingLost(
      { ...service, given, crash, restart: postgres.restart },
      { dialects: [dialect], crashes: 3, callers: 12 },
    );
  },
);
