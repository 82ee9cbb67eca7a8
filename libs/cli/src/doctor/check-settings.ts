// Checks all settings, reports all problems together, and finds misspelt names.
import { ConfigError } from '@counterfoil/kit/process/config';
import { licensingSettings, readLicensingConfig } from '@counterfoil/licensing-server/config';
import { providerSettings } from '@counterfoil/provider/config';
import { readWalletConfig, walletSettings } from '@counterfoil/wallet-server/config';
import { findNearest } from '../entry/nearest.ts';
import type { Service } from '../entry/verbs.ts';
import { readStartSettings } from '../settings.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import type { Machine } from './machine.ts';

const known = Object.entries({
  ...licensingSettings,
  ...walletSettings,
  ...providerSettings,
}).flatMap(([name, setting]) => ('secret' in setting && setting.secret ? [name, `${name}_FILE`] : [name]));

const readers = { licensing: readLicensingConfig, wallet: readWalletConfig };

/**
 * Checks the settings. In production, checks only the settings of the given services, because each service
 * runs alone. Otherwise checks the settings of all services, because `npm start` reads them all.
 */
export function checkSettings({ env }: Machine, services: readonly Service[]): Finding[] {
  const problems = new Set<string>();
  const collect = (read: () => unknown) => {
    try {
      read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const each of error.problems) problems.add(each);
    }
  };
  if (env.NODE_ENV === 'production') {
    for (const service of services) collect(() => readers[service](env));
  } else collect(() => readStartSettings(env, []));
  const findings = [...problems].map((each) => problem('settings', each, 'See docs/operate/operations.md.'));
  const given = known.filter((name) => env[name]).length;
  if (findings.length === 0) {
    const says = given === 0 ? 'none is set: the defaults apply' : `all ${given} that are set are valid`;
    findings.push(ok('settings', says));
  }
  return [...findings, ...findUnread(env)];
}

const ours = /^(?:LICENSING|WALLET|PROVIDER)_/;

/**
 * Finds variables that begin with the name of a service but are no setting. A misspelt setting has no effect,
 * and no other check reports it.
 */
function findUnread(env: Machine['env']): Finding[] {
  return Object.keys(env)
    .filter((name) => ours.test(name) && !known.includes(name))
    .map((name) => {
      const nearest = findNearest(name, known);
      const advice = nearest === undefined ? 'Remove it.' : `Did you mean ${nearest}?`;
      return warning('settings', `${name} is not a setting`, advice);
    });
}
