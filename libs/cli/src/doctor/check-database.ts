// Checks that the database of a service answers, and evaluates the facts that the database reports.

import type { CommandConfig } from '@counterfoil/kit/process/run-command';
import { describeFailure } from '@counterfoil/kit/process/run-main';
import type { Service } from '../entry/verbs.ts';
import { evaluateDatabase } from './evaluate-database.ts';
import { type Finding, problem } from './finding.ts';
import { readDatabase } from './read-database.ts';

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
    const wantedConnections = config.databaseConnections * options.processes;
    return evaluateDatabase(facts, { service, production: config.production, wantedConnections });
  } catch (error) {
    const [says = ''] = describeFailure(error).split('\n');
    const advice = `Check that the server runs, and check ${urlName}: host, port, user, password, name.`;
    return [problem(`${service} database`, says, advice)];
  }
}
