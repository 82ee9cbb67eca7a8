// The settings of a connection, as they are sent and as they are stored.
import { Nullable } from '@counterfoil/kit/http/answers';
import type { FieldErrors } from '@counterfoil/kit/http/errors';
import { isPrintableWithin, PrintableText } from '@counterfoil/kit/http/text';
import { type Static, Type } from 'typebox';
import { fail } from '../errors.ts';
import type { ConnectionSettings } from './change-connections.ts';
import type { DialectName } from './dialects/dialect.ts';

const nameLength = { min: 1, max: 128 };
const maxCurrencies = 20;
const codeForm = /^[A-Za-z][A-Za-z0-9_]{1,31}$/;
const profiles: Readonly<Partial<Record<DialectName, readonly string[]>>> = { hub88: ['caleta'] };

const settings = {
  game_prefix: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_.:-]{0,32}$',
      maxLength: 32,
      description:
        "Precedes the provider's ids of games: the game `dice` is `ss-dice` with the prefix `ss-`.",
      examples: ['ss-'],
    }),
  ),
  currencies: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 8 }), {
      maxProperties: maxCurrencies,
      description:
        "The package's currency for each code of the provider. A code that is not listed is used unchanged.",
      examples: [{ CUSTOM_WIN: 'EUR' }],
    }),
  ),
  upstream_url: Type.Optional(
    Nullable(PrintableText({ max: 2048 }), {
      description:
        "The address of the provider's API, from which the wallet requests games and launches; " +
        'null without one.',
    }),
  ),
};

export const ConnectionName = PrintableText({ ...nameLength, description: 'Appears in lists and logs.' });

/** The fields that can be changed after the creation. */
export const Settings = Type.Object({
  name: Type.Optional(ConnectionName),
  state: Type.Optional(Type.Enum(['active', 'paused'])),
  ...settings,
});

export const NewSettings = {
  name: ConnectionName,
  profile: Type.Optional(
    Type.Enum(['', 'caleta'], { description: 'The variant `caleta` of hub88; empty by default.' }),
  ),
  ...settings,
};

export type SentSettings = Omit<Static<typeof Settings>, 'state'>;

interface Rules {
  /** The currency of the package. */
  readonly currency: string;
  /** Returns the reason why a URL is not accepted; undefined if the URL is accepted. */
  readonly refuseUrl: (url: string) => string | undefined;
}

/** Returns only the settings that were sent. The error names every invalid field. */
export function parseSettings(sent: SentSettings, rules: Rules): Partial<ConnectionSettings> {
  const problems: FieldErrors = {};
  const parsed: { -readonly [K in keyof ConnectionSettings]?: ConnectionSettings[K] } = {};
  if (sent.name !== undefined) parsed.name = parseName(problems, sent.name);
  if (sent.game_prefix !== undefined) parsed.gamePrefix = sent.game_prefix;
  if (sent.currencies !== undefined) {
    parsed.currencies = sent.currencies;
    Object.assign(problems, checkCurrencies(sent.currencies, rules.currency));
  }
  if (sent.upstream_url !== undefined) {
    parsed.upstreamUrl = sent.upstream_url || undefined;
    const refusal = parsed.upstreamUrl && refuseUpstream(parsed.upstreamUrl, rules);
    if (refusal) problems.upstream_url = [refusal];
  }
  if (Object.keys(problems).length > 0) throw fail('invalid_parameter', { errors: problems });
  return parsed;
}

function parseName(problems: FieldErrors, sent: string): string {
  const name = sent.trim();
  if (!isPrintableWithin(name, nameLength)) problems.name = ['needs 1 to 128 printable characters.'];
  return name;
}

function checkCurrencies(currencies: Readonly<Record<string, string>>, currency: string): FieldErrors {
  const problems: FieldErrors = {};
  for (const [code, own] of Object.entries(currencies)) {
    if (!codeForm.test(code)) {
      problems.currencies = ['needs codes of 2 to 32 letters, digits and underscores.'];
    } else if (own !== currency) {
      problems[`currencies.${code}`] = [`must be ${currency}, the currency of the package.`];
    }
  }
  return problems;
}

function refuseUpstream(url: string, { refuseUrl }: Rules): string | undefined {
  return refuseUrl(url) ?? (new URL(url).search === '' ? undefined : 'must not have a query.');
}

/** Refuses a variant (`profile`) that the dialect does not have. */
export function checkProfile(dialect: DialectName, profile: string): void {
  if (profile === '' || profiles[dialect]?.includes(profile)) return;
  throw fail('invalid_parameter', { errors: { profile: [`is not a variant of ${dialect}.`] } });
}
