// wallet providers edit: changes the settings of a provider connection.
import { printFields } from '@counterfoil/kit/process/command-line/print';
import { createAddressGuard } from '@counterfoil/webhooks/dispatcher/address-guard';
import { type Command, InvalidArgumentError } from 'commander';
import { editConnection } from '../connections/change-connections.ts';
import { presentConnection, writeProvidersUrl } from '../connections/connection.ts';
import { parseSettings } from '../connections/connection-settings.ts';
import { dialects } from '../connections/dialects/dialects.ts';
import { getManagedPackage } from '../packages/queries.ts';
import { type CommandTools, type OfPackage, runOnPackage } from './command-tools.ts';

export type Currencies = Readonly<Record<string, string>>;

interface EditGiven extends OfPackage {
  readonly name?: string;
  readonly gamePrefix?: string;
  readonly currency?: Currencies;
  readonly upstreamUrl?: string;
}

export function addProviderEdit(command: Command, tools: CommandTools): void {
  command
    .option('--name <name>', 'appears in lists and logs')
    .option('--game-prefix <prefix>', "precedes the provider's ids of games; '' for none")
    .option(
      '--currency <code=currency>',
      "the provider's code and the package's; repeatable; replaces all others, or none",
      (text: string, before: Currencies = {}) => (text === 'none' ? {} : addCurrency(text, before)),
    )
    .option('--upstream-url <url>', "the address of the provider's API, or none")
    .action((id: string, given: EditGiven) => edit(tools, id, given));
}

export function addCurrency(text: string, before: Currencies = {}): Currencies {
  const [, code, own] = /^([^=]+)=([^=]+)$/.exec(text) ?? [];
  if (code === undefined || own === undefined) {
    throw new InvalidArgumentError('It must have the form CODE=CURRENCY.');
  }
  return { ...before, [code]: own };
}

const edit = (tools: CommandTools, id: string, given: EditGiven): Promise<void> =>
  runOnPackage(tools, given.package, async ({ config, db, target }) => {
    const { name, gamePrefix, currency: currencies, upstreamUrl } = given;
    const { currency } = await getManagedPackage(db, target.packageId);
    const sent = {
      ...(name !== undefined && { name }),
      ...(gamePrefix !== undefined && { game_prefix: gamePrefix }),
      ...(currencies !== undefined && { currencies }),
      ...(upstreamUrl !== undefined && { upstream_url: upstreamUrl === 'none' ? null : upstreamUrl }),
    };
    const changes = parseSettings(sent, {
      currency,
      refuseUrl: createAddressGuard(config.webhooks).refuse,
    });
    const { masterKey, publicUrl } = config;
    const edited = await db.transaction((tx) =>
      editConnection(tx, { masterKey, dialects }, { ...target, id }, changes),
    );
    const shown = presentConnection(edited, { providersUrl: writeProvidersUrl(publicUrl), now: target.at });
    const codes = Object.entries(shown.currencies).map((pair) => pair.join('='));
    printFields(tools, given, {
      json: shown,
      title: `The settings of ${shown.name}:`,
      fields: [
        ['id', shown.id],
        ['dialect', shown.profile ?? shown.dialect],
        ['state', shown.state],
        ['game prefix', shown.game_prefix || 'none'],
        ['currencies', codes.join(', ') || 'none'],
        ['upstream URL', shown.upstream_url ?? 'none'],
        ['url', shown.url],
      ],
    });
  });
