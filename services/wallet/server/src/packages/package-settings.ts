// The settings of a package, as they are sent and as they are stored.
import type { FieldErrors } from '@counterfoil/kit/http/errors';
import { isPrintableWithin, PrintableText } from '@counterfoil/kit/http/text';
import { getDecimals, maxDecimals, toJsonNumber, type Unit } from '@counterfoil/kit/money';
import { type Static, Type } from 'typebox';
import { fail } from '../errors.ts';
import { AmountOrNull, AmountOrZero, parseAmount } from '../wire/amount.ts';
import type { PackageSettings } from './customer-package.ts';
import { maxEntries, parseAddress, parseDomain } from './domain.ts';

const Entries = (description: string, examples: string[]) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 260 }), {
    maxItems: maxEntries,
    description,
    examples: [examples],
  });

export const Decimals = Type.Integer({
  minimum: 0,
  maximum: maxDecimals,
  description: "The decimals of the package's amounts, from those of its currency up to 8.",
  examples: [2],
});

export const MaxStake = Type.Union([Type.Number(), Type.Null()], {
  description: 'The largest bet; null if there is no limit.',
});

export const presentMaxStake = (maxStake: bigint | undefined, unit: Unit): number | null =>
  maxStake === undefined ? null : toJsonNumber(maxStake, unit);

const nameLength = { min: 1, max: 128 };
export const PackageName = PrintableText(nameLength);

export const AllSettings = {
  domains: Type.Optional(Entries('Hosts that `Origin` may name.', ['play.example', '*.shop.example'])),
  caller_addresses: Type.Optional(
    Entries('Addresses and ranges that may call; an empty list allows every address.', [
      '203.0.113.7',
      '2001:db8::/32',
    ]),
  ),
  callback_addresses: Type.Optional(
    Entries('Addresses and ranges that may send callbacks; an empty list allows every address.', [
      '198.51.100.0/24',
    ]),
  ),
  alert_threshold: Type.Optional(AmountOrZero),
  max_stake: Type.Optional(AmountOrNull),
  callback_security: Type.Optional(Type.Enum(['headers', 'signed', 'encrypted'])),
  shared_launch: Type.Optional(
    Type.Boolean({
      description:
        "Use the provider's shared session if its private launch is unavailable; false by default.",
    }),
  ),
  /** Only administrators may change the fields `name`, `overdraft_limit` and `decimals`. */
  name: Type.Optional(PackageName),
  overdraft_limit: Type.Optional(AmountOrZero),
  decimals: Type.Optional(Decimals),
};

export const Settings = Type.Object(AllSettings);

export type SentSettings = Static<typeof Settings>;

/**
 * Checks the number of decimals of a package with this currency. The default is the number of decimals of the
 * currency.
 */
export function parseDecimals(decimals: number | undefined, currency: string): number {
  const own = getDecimals(currency);
  if (decimals === undefined) return own;
  if (decimals >= own && decimals <= maxDecimals) return decimals;
  const sentence = `must be a number from ${own}, the decimals of ${currency}, to ${maxDecimals}.`;
  throw fail('invalid_parameter', { errors: { decimals: [sentence] } });
}

/** Parses only the settings that were sent. An error names every invalid entry of a list. */
export function parseSettings(sent: SentSettings, unit: Unit): Partial<PackageSettings> {
  const problems: FieldErrors = {};
  const name = sent.name?.trim();
  if (name !== undefined && !isPrintableWithin(name, nameLength)) {
    problems.name = [`needs 1 to ${nameLength.max} printable characters.`];
  }
  const settings: { -readonly [K in keyof PackageSettings]?: PackageSettings[K] } = {};
  const read = (field: keyof SentSettings, parse: typeof parseDomain) =>
    readEntries(problems, { field, entries: sent[field] as string[], parse });
  if (name !== undefined) settings.name = name;
  if (sent.domains) settings.domains = read('domains', parseDomain);
  if (sent.caller_addresses) settings.callerAddresses = read('caller_addresses', parseAddress);
  if (sent.callback_addresses) settings.callbackAddresses = read('callback_addresses', parseAddress);
  if (Object.keys(problems).length > 0) throw fail('invalid_parameter', { errors: problems });
  if (sent.callback_security) settings.callbackSecurity = sent.callback_security;
  if (sent.shared_launch !== undefined) settings.sharedLaunch = sent.shared_launch;
  const amount = (field: 'alert_threshold' | 'overdraft_limit') =>
    parseAmount(sent[field], { unit, field, zero: 'allowed' });
  if (sent.alert_threshold !== undefined) settings.alertThreshold = amount('alert_threshold');
  if (sent.overdraft_limit !== undefined) settings.overdraftLimit = amount('overdraft_limit');
  if (sent.max_stake !== undefined) settings.maxStake = parseMaxStake(sent.max_stake, unit);
  return settings;
}

/** Reads a limit; undefined if there is no limit. */
export const parseMaxStake = (sent: unknown, unit: Unit): bigint | undefined =>
  sent === null ? undefined : parseAmount(sent, { unit, field: 'max_stake' });

function readEntries(
  problems: FieldErrors,
  list: { field: string; entries: string[]; parse: (text: string) => string | undefined },
): string[] {
  const read = new Set<string>();
  for (const [index, entry] of list.entries.entries()) {
    const parsed = list.parse(entry);
    if (parsed !== undefined) read.add(parsed);
    else problems[`${list.field}.${index}`] = [sentenceFor(list.field)];
  }
  return [...read];
}

const sentenceFor = (field: string): string =>
  field === 'domains'
    ? 'must be a host such as play.example, or *.shop.example, without scheme and port.'
    : 'must be an IP address, or a range such as 203.0.113.0/24.';
