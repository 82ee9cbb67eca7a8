// wallet providers: lists, creates, edits, rotates, pauses, resumes, tests and deletes provider connections.
import { readFile } from 'node:fs/promises';
import { withJson } from '@counterfoil/kit/process/command-line/page-options';
import { printFields, printRows, printSentence } from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import { createAddressGuard } from '@counterfoil/webhooks/dispatcher/address-guard';
import { type Command, Option } from 'commander';
import type { Config } from '../config.ts';
import {
  createConnection,
  editConnection,
  removeConnection,
  rotateConnection,
} from '../connections/change-connections.ts';
import { presentConnection, writeProvidersUrl } from '../connections/connection.ts';
import { checkProfile, parseSettings } from '../connections/connection-settings.ts';
import { presentCredentials } from '../connections/credentials.ts';
import { type DialectName, dialectNames, type Secrets } from '../connections/dialects/dialect.ts';
import { dialects } from '../connections/dialects/dialects.ts';
import { listConnections } from '../connections/queries.ts';
import { defaultOverlap, type Overlap, overlapNames } from '../packages/credentials/key-pair.ts';
import { getManagedPackage } from '../packages/queries.ts';
import { addCertify } from './certify.ts';
import { addForPackage, type CommandTools, type OfPackage, runOnPackage } from './command-tools.ts';
import { addCurrency, addProviderEdit, type Currencies } from './edit-provider.ts';
import { addProviderCalls } from './provider-calls.ts';
import { addSelfValidate } from './self-validate.ts';
import { addProviderTest } from './test-provider.ts';

interface NewGiven extends OfPackage {
  readonly name: string;
  readonly dialect: DialectName;
  readonly profile: string;
  readonly gamePrefix: string;
  readonly currency?: Currencies;
  readonly upstreamUrl?: string;
  readonly secretsFile?: string;
}

interface RotationGiven extends OfPackage {
  readonly overlap: Overlap;
  readonly secretsFile?: string;
}

export function addProviders(program: Command, tools: CommandTools): void {
  const providers = program
    .command('providers')
    .description("Packages' provider connections, and the certification of wallets.");
  const add = (verb: string, description: string) => withJson(addForPackage(providers, verb, description));
  const addOnOne = (verb: string, description: string) => add(verb, description).argument('<connection-id>');
  add('list', 'List the connections of a package, without credentials.').action((given: OfPackage) =>
    list(tools, given),
  );
  addCreate(add('create', 'Create a connection, and print its address and credentials once.'), tools);
  addProviderEdit(addOnOne('edit', 'Change the settings that are given, and print all settings.'), tools);
  withSecrets(addOnOne('rotate', 'Replace the credentials and print the new ones.'))
    .addOption(
      new Option('--overlap <time>', 'how long the old credentials stay valid')
        .choices(overlapNames)
        .default(defaultOverlap),
    )
    .action((id: string, given: RotationGiven) => rotate(tools, id, given));
  for (const [verb, state, description] of [
    ['pause', 'paused', 'Answer every call of the provider with an error.'],
    ['resume', 'active', 'Carry out the calls of the provider again.'],
  ] as const) {
    addOnOne(verb, description).action((id: string, given: OfPackage) =>
      changeState(tools, id, given, state),
    );
  }
  addOnOne('delete', 'Delete a connection. Movements stay.').action((id: string, given: OfPackage) =>
    remove(tools, id, given),
  );
  addProviderTest(addOnOne('test', 'Send a signed balance call; it moves no money.'), tools);
  const calls = 'List the latest calls of a connection, or of all, newest first.';
  addProviderCalls(addForPackage(providers, 'calls', calls), tools);
  addSelfValidate(addOnOne('self-validate', 'Let Slotegrator test the connection.'), tools);
  addCertify(providers, tools);
}

/**
 * Credentials are read from a file, because other users of the machine can see the arguments of a command.
 */
const withSecrets = (command: Command): Command =>
  command.option('--secrets-file <path>', 'a JSON file with credentials by name; /dev/stdin reads the input');

function addCreate(command: Command, tools: CommandTools): void {
  withSecrets(command)
    .requiredOption('--name <name>', 'appears in lists and logs')
    .addOption(
      new Option('--dialect <dialect>', "the provider's protocol")
        .choices([...dialectNames])
        .makeOptionMandatory(),
    )
    .option('--profile <profile>', 'the variant of the dialect: caleta of hub88', '')
    .option('--game-prefix <prefix>', "precedes the provider's ids of games", '')
    .option('--currency <code=currency>', "the provider's code and the package's; repeatable", addCurrency)
    .option('--upstream-url <url>', "the address of the provider's API")
    .action((given: NewGiven) => create(tools, given));
}

const useCaseDeps = ({ masterKey }: Config) => ({ masterKey, dialects });

const shownWith = ({ publicUrl }: Config, now: Date) => ({ providersUrl: writeProvidersUrl(publicUrl), now });

async function readSecrets(path: string | undefined): Promise<Secrets> {
  if (path === undefined) return {};
  const text = await readFile(path, 'utf8').catch(() => {
    throw new CommandRefused(`${path} cannot be read; nothing was changed`);
  });
  const isSecrets = (value: unknown): value is Secrets =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((each) => typeof each === 'string');
  try {
    const parsed: unknown = JSON.parse(text);
    if (isSecrets(parsed)) return parsed;
  } catch {
    // The error does not repeat the text, because the text contains secrets.
  }
  throw new CommandRefused(`${path} must be a JSON object of texts; nothing was changed`);
}

const list = (tools: CommandTools, given: OfPackage): Promise<void> =>
  runOnPackage(tools, given.package, async ({ config, db, target: { packageId, at } }) => {
    const listed = await listConnections(db, packageId);
    const connections = listed.map((each) => presentConnection(each, shownWith(config, at)));
    printRows(tools, given, {
      json: { connections },
      head: ['ID', 'NAME', 'DIALECT', 'STATE', 'PREFIX', 'CREATED', 'URL'],
      keep: ['ID', 'DIALECT', 'STATE'],
      rows: connections.map((each) => [
        each.id,
        each.name,
        each.profile ?? each.dialect,
        each.state,
        each.game_prefix,
        each.created_at,
        each.url,
      ]),
    });
  });

const create = (tools: CommandTools, given: NewGiven): Promise<void> =>
  runOnPackage(tools, given.package, async ({ config, db, target }) => {
    const { name, dialect, profile, gamePrefix: game_prefix, currency: currencies = {} } = given;
    checkProfile(dialect, profile);
    const { currency } = await getManagedPackage(db, target.packageId);
    const sent = { name, game_prefix, currencies, upstream_url: given.upstreamUrl ?? null };
    const guard = createAddressGuard(config.webhooks);
    const settings = parseSettings(sent, { currency, refuseUrl: guard.refuse });
    const wanted = {
      ...{ name, gamePrefix: '', currencies: {}, upstreamUrl: undefined, ...settings },
      ...{ dialect, profile, secrets: await readSecrets(given.secretsFile), ...target },
    };
    const made = await db.transaction((tx) => createConnection(tx, useCaseDeps(config), wanted));
    const connection = presentConnection(made.connection, shownWith(config, target.at));
    const secrets = presentCredentials(made.secrets);
    printFields(tools, given, {
      json: { connection, secrets },
      title: 'The connection and its credentials, which will not be shown again:',
      fields: [['id', connection.id], ['url', connection.url], ...Object.entries(secrets)],
    });
  });

const rotate = (tools: CommandTools, id: string, given: RotationGiven): Promise<void> =>
  runOnPackage(tools, given.package, async ({ config, db, target }) => {
    const { overlap } = given;
    const rotation = { ...target, id, overlap, secrets: await readSecrets(given.secretsFile) };
    const made = await db.transaction((tx) => rotateConnection(tx, useCaseDeps(config), rotation));
    const secrets = presentCredentials(made.secrets);
    const until = made.oldUntil.toISOString();
    printFields(tools, given, {
      json: { id, secrets, old_until: until },
      title: `The new credentials, which will not be shown again. The old ones end by ${until}:`,
      fields: Object.entries(secrets),
    });
  });

const changeState = (
  tools: CommandTools,
  id: string,
  given: OfPackage,
  state: 'active' | 'paused',
): Promise<void> =>
  runOnPackage(tools, given.package, async ({ config, db, target }) => {
    const change = { ...target, id };
    const edited = await db.transaction((tx) => editConnection(tx, useCaseDeps(config), change, { state }));
    printSentence(tools, given, {
      json: presentConnection(edited, shownWith(config, target.at)),
      sentence: `Connection ${id} is ${state}.`,
    });
  });

const remove = (tools: CommandTools, id: string, given: OfPackage): Promise<void> =>
  runOnPackage(tools, given.package, async ({ config, db, target }) => {
    await db.transaction((tx) => removeConnection(tx, useCaseDeps(config), { ...target, id }));
    printSentence(tools, given, { json: { id, state: 'deleted' }, sentence: `Connection ${id} is deleted.` });
  });
