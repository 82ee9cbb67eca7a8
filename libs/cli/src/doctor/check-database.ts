// One service's database: whether it answers, and what its facts mean.

import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { describeFailure } from '@counterfoil/kit/process/run-main';
import type { Service } from '../entry/verbs.ts';
import { evaluateDatabase } from './evaluate-database.ts';
import { type Finding, problem } from './finding.ts';
import { readDatabase } from './read-database.ts';

interface DatabaseConfig {
  readonly databaseUrl: string;
  readonly directUrl: string;
  readonly databaseConnections: number;
  readonly production: boolean;
  readonly masterKey: MasterKey;
}

export async function checkDatabase(options: {
  service: Service;
  urlName: string;
  config: DatabaseConfig;
  hasKey: boolean;
  processes: number;
  migrationFolders: readonly string[];
}): Promise<Finding[]> {
  const { service, config, hasKey, migrationFolders } = options;
  try {
    const facts = await readDatabase({
      url: config.directUrl,
      migrationFolders,
      masterKey: hasKey ? config.masterKey : undefined,
    });
    const wantedConnections = config.databaseConnections * options.processes;
    return evaluateDatabase(facts, { service, production: config.production, wantedConnections });
  } catch (error) {
    const [says = ''] = describeFailure(error).split('\n');
    const advice =
      `Look whether the server runs, and at ${options.urlName}: ` +
      'host, port, user, password, name.';
    return [problem(`${service} database`, says, advice)];
  }
}
