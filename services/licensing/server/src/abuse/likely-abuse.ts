// Likely abuse in a workspace: the default thresholds, and the answer to the request of the panel.
import { presentTime } from '@counterfoil/kit/http/answers';
import { Type } from 'typebox';
import { ListedPurchase, presentListedPurchase } from '../purchases/management/managed-purchase.ts';
import { NamedObject } from '../wire/input.ts';
import type { BusyPurchase, FailingCaller } from './queries.ts';

/** The number of days in which the hosts of a purchase are counted. */
export const hostDays = 30;
/** The number of hours in which failed requests are counted. */
export const failureHours = 24;
export const defaultThresholds = { minHosts: 10, minFailures: 60 } as const;
/** The maximum number of entries in each list of the answer. */
export const maxListed = 50;

const BusyPurchaseAnswer = NamedObject('BusyPurchase', {
  purchase: ListedPurchase,
  hosts: Type.Integer({
    description: `Different hosts and machines that occupied a seat or were refused, in ${hostDays} days.`,
  }),
  refused_hosts: Type.Integer({ description: 'Those that were refused because of a limit; at most 100.' }),
  last_at: Type.String({ description: 'Time of the newest activation or refusal.' }),
});

const FailingCallerAnswer = NamedObject('FailingCaller', {
  address: Type.String({ description: 'The IP address of the caller.' }),
  failures: Type.Integer({ description: `Refused codes within ${failureHours} hours.` }),
  peak: Type.Integer({ description: 'Refused codes within the busiest hour (UTC).' }),
  codes: Type.Integer({ description: 'Different endings of the refused codes.' }),
  last_at: Type.String({ description: 'Time of the last refusal.' }),
});

export const AbuseAnswer = NamedObject('LikelyAbuse', {
  min_hosts: Type.Integer({ description: 'The threshold for `purchases`.' }),
  min_failures: Type.Integer({ description: 'The threshold for `callers`.' }),
  purchases: Type.Array(BusyPurchaseAnswer, {
    description: `At most ${maxListed} purchases that are not blocked; those with the most hosts first.`,
  }),
  callers: Type.Array(FailingCallerAnswer, {
    description: `At most ${maxListed} callers; those with the busiest hour first.`,
  }),
  blocked: Type.Array(ListedPurchase, {
    description: `The ${maxListed} purchases that were blocked last.`,
  }),
});

export const presentBusyPurchase = ({ hosts, refusedHosts, lastAt, ...purchase }: BusyPurchase) => ({
  purchase: presentListedPurchase(purchase),
  hosts,
  refused_hosts: refusedHosts,
  last_at: presentTime(lastAt),
});

export const presentFailingCaller = ({ lastAt, ...caller }: FailingCaller) => ({
  ...caller,
  last_at: presentTime(lastAt),
});
