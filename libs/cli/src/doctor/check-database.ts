// Checks that the database of a service answers, and evaluates the facts that the database reports.

import type { CommandConfig } from '@counterfoil/kit/process/run-command';
import { describeFailure } from '@counterfoil/kit/process/run-main';
import type { Service } from '../entry/verbs.ts';
import { evaluateDatabase } from './evaluate-database.ts';
import { type Finding, problem } from './finding.ts';
import { readDatabase } from './read-database.ts';

/**
 * The connections of each process outside its pool: two for LISTEN, one for `/readyz`, and four for the
 * wallet's ledger.
 */
const connectionsOutsidePool: Readonly<Record<Service, number>> = { licensing: 3, wallet: 7 };

export async function checkDatabase(options: {
  service: Service;
  urlName: string;
  config: CommandConfig;
  hasKey: boolean;
  processes: number;
  migrationFolders: readonly string[];
}): Promise<Finding[]> {
  const { service, urlName, config, hasKey, migrationFolders } = options;
  try {
    const facts = await readDatabase({
      url: config.directUrl,
      migrationFolders,
      masterKey: hasKey ? config.masterKey : undefined,
    });
    const perProcess = config.databaseConnections + connectionsOutsidePool[service];
    const wantedConnections = perProcess * options.processes;
    return evaluateDatabase(facts, { service, production: config.production, wantedConnections });
  } catch (error) {
    const [says = ''] = describeFailure(error).split('\n');
    const advice = `Check that the server runs, and check ${urlName}: host, port, user, password, name.`;
    return [problem(`${service} database`, says, advice)];
  }
}
