// Runs the checks of the doctor, and returns the findings in the order of the output. If the settings are
// wrong, ports, databases and the provider are not checked. The checks change nothing.
import { resolve } from 'node:path';
import { readProcesses } from '@counterfoil/kit/process/run-processes';
import type { Service } from '../entry/verbs.ts';
import { checkDatabase } from './check-database.ts';
import { checkEmbedded } from './check-embedded.ts';
import { checkDisk, checkFolder, checkKeptSecrets, checkNode, checkOpenFiles } from './check-machine.ts';
import { checkMail } from './check-mail.ts';
import { checkPort, type PortToCheck } from './check-ports.ts';
import { checkProvider } from './check-provider.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkSettings } from './check-settings.ts';
import { type Finding, ok, warning } from './finding.ts';
import { services as known, type LocalSettings, readLocalSettings } from './local-settings.ts';
import type { Machine } from './machine.ts';

export async function examine(machine: Machine, services: readonly Service[]): Promise<Finding[]> {
  const settings = checkSettings(machine, services);
  const dataDir = resolve(machine.env.DATA_DIR || './data');
  const before = [
    checkNode(machine),
    await checkOpenFiles(machine),
    ...settings,
    ...(await checkSecrets(machine)),
    await checkFolder('data folder', dataDir),
    ...(await checkKeptSecrets(dataDir)),
    await checkDisk(machine, dataDir),
  ];
  if (settings.some(({ level }) => level === 'problem')) {
    const says = 'ports, databases and provider were not checked';
    return [...before, warning('the rest', says, 'Correct the settings first.')];
  }
  return [...before, ...(await examineRunning(machine, services, dataDir))];
}

function readConfigs({ env }: LocalSettings) {
  return { licensing: known.licensing.readConfig(env), wallet: known.wallet.readConfig(env) };
}

async function examineRunning(
  machine: Machine,
  services: readonly Service[],
  dataDir: string,
): Promise<Finding[]> {
  const local = await readLocalSettings(machine.env, dataDir);
  const configs = readConfigs(local);
  const ports = await Promise.all(listPorts(local, configs, services).map(checkPort));
  const runs = (name: string) => ports.some((port) => port.runs && port.service === name);
  const isUsed = services.some((service) => local.ownDatabase.includes(service));
  const servicesRun = services.some(runs);
  const embedded = await checkEmbedded(dataDir, { isUsed, servicesRun });
  const isStandIn = !machine.env.PROVIDER_PRIVATE_URL && !machine.env.PROVIDER_PUBLIC_URL;
  const { upstream } = configs.wallet;
  return [
    ...(services.includes('licensing') ? await checkFiles(machine, configs.licensing.filesDir, dataDir) : []),
    ...ports.map(({ finding }) => finding),
    embedded.finding,
    ...(await examineDatabases(services, { local, configs, ownRuns: embedded.runs })),
    await checkMail(configs[services[0] ?? 'wallet'].mail),
    ...(services.includes('wallet')
      ? await checkProvider(upstream, { isStandIn, walletRuns: runs('wallet') })
      : []),
  ];
}

/**
 * Checks the folder with the files of items, unless it is inside the data folder, which is checked anyway. A
 * separate folder may be on a disk that several machines share.
 */
async function checkFiles(machine: Machine, filesDir: string, dataDir: string): Promise<Finding[]> {
  if (`${filesDir}/`.startsWith(`${dataDir}/`)) return [];
  return [await checkFolder('files folder', filesDir), await checkDisk(machine, filesDir)];
}

type Configs = ReturnType<typeof readConfigs>;

function listPorts({ env }: LocalSettings, configs: Configs, services: readonly Service[]): PortToCheck[] {
  const { host } = configs.licensing;
  const ports = services.map((service) => ({
    service,
    setting: `${service.toUpperCase()}_PORT`,
    host: configs[service].host,
    port: configs[service].port,
  }));
  if (configs.wallet.production || env.PROVIDER_PRIVATE_URL) return ports;
  const port = Number(env.PROVIDER_PORT || 4300);
  return [...ports, { service: 'provider', setting: 'PROVIDER_PORT', host, port }];
}

async function examineDatabases(
  services: readonly Service[],
  given: { local: LocalSettings; configs: Configs; ownRuns: boolean },
): Promise<Finding[]> {
  const { local, configs, ownRuns } = given;
  const found = services.map(async (service) => {
    const isOwn = local.ownDatabase.includes(service);
    if (isOwn && !(ownRuns && local.isOwnKnown)) {
      return [ok(`${service} database`, 'not checked: its PostgreSQL does not run')];
    }
    return checkDatabase({
      ...known[service],
      config: configs[service],
      hasKey: local.hasKey,
      processes: readProcesses([], local.env),
    });
  });
  return (await Promise.all(found)).flat();
}
