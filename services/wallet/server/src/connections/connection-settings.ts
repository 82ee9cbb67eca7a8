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
/** The form of a prefix of game ids, as a pattern of JSON Schema. */
const prefixForm = '^[A-Za-z0-9_.:-]{0,32}$';
const codeForm = /^[A-Za-z][A-Za-z0-9_]{1,31}$/;
const profiles: Readonly<Partial<Record<DialectName, readonly string[]>>> = { hub88: ['caleta'] };

const settings = {
  game_prefix: Type.Optional(
    Type.String({
      pattern: prefixForm,
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

/** The fields that can be changed after the connection was created. */
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

/**
 * Returns only the settings that were sent. If a setting is invalid, throws an error that names every invalid
 * field. The error has a specific code if only the currencies or only the URL are refused.
 */
export function parseSettings(sent: SentSettings, rules: Rules): Partial<ConnectionSettings> {
  const problems: FieldErrors = {};
  const parsed: { -readonly [K in keyof ConnectionSettings]?: ConnectionSettings[K] } = {};
  if (sent.name !== undefined) parsed.name = parseName(problems, sent.name);
  if (sent.game_prefix !== undefined) {
    parsed.gamePrefix = sent.game_prefix;
    // The schema of a route has already checked the form. Settings from a command have no schema, so the form
    // is checked here.
    if (!new RegExp(prefixForm).test(sent.game_prefix)) {
      problems.game_prefix = ['needs up to 32 letters, digits, dots, colons, hyphens and underscores.'];
    }
  }
  const codes = new Set<RefusedSetting>(Object.keys(problems).length > 0 ? ['invalid_parameter'] : []);
  if (sent.currencies !== undefined) {
    parsed.currencies = sent.currencies;
    for (const code of checkCurrencies(problems, sent.currencies, rules.currency)) codes.add(code);
  }
  if (sent.upstream_url !== undefined) {
    parsed.upstreamUrl = sent.upstream_url || undefined;
    const refusal = parsed.upstreamUrl && refuseUpstream(parsed.upstreamUrl, rules);
    if (refusal) problems.upstream_url = [refusal];
    if (refusal) codes.add('upstream_url_refused');
  }
  const [code] = codes;
  if (code) throw refuse(codes.size === 1 ? code : 'invalid_parameter', problems);
  return parsed;
}

type RefusedSetting = 'invalid_parameter' | 'currency_mismatch' | 'upstream_url_refused';

/**
 * Makes the error. An error with a specific code repeats the first problem in its message, for callers that
 * show no field errors.
 */
function refuse(code: RefusedSetting, errors: FieldErrors) {
  const [[field, [problem = ''] = []] = ['']] = Object.entries(errors);
  if (code === 'invalid_parameter') return fail(code, { errors });
  return fail(code, { errors, msg: `${field} ${problem.replace(/\.$/, '')}` });
}

function parseName(problems: FieldErrors, sent: string): string {
  const name = sent.trim();
  if (!isPrintableWithin(name, nameLength)) problems.name = ['needs 1 to 128 printable characters.'];
  return name;
}

/** Adds the problems of the currencies to `problems`, and returns the error code of each problem. */
function checkCurrencies(
  problems: FieldErrors,
  currencies: Readonly<Record<string, string>>,
  currency: string,
): RefusedSetting[] {
  if (Object.keys(currencies).length > maxCurrencies) {
    problems.currencies = [`has more than ${maxCurrencies} codes.`];
    return ['invalid_parameter'];
  }
  return Object.entries(currencies).flatMap(([code, own]): RefusedSetting[] => {
    if (!codeForm.test(code)) {
      problems.currencies = ['needs codes of 2 to 32 letters, digits and underscores.'];
      return ['invalid_parameter'];
    }
    if (own === currency) return [];
    problems[`currencies.${code}`] = [`must be ${currency}, the currency of the package.`];
    return ['currency_mismatch'];
  });
}

function refuseUpstream(url: string, { refuseUrl }: Rules): string | undefined {
  return refuseUrl(url) ?? (new URL(url).search === '' ? undefined : 'must not have a query.');
}

/** Refuses a variant (`profile`) that the dialect does not have. */
export function checkProfile(dialect: DialectName, profile: string): void {
  if (profile === '' || profiles[dialect]?.includes(profile)) return;
  throw fail('invalid_parameter', { errors: { profile: [`is not a variant of ${dialect}.`] } });
}
