// URLs and time limits of the upstream; tests pass shorter limits.
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import type { BreakerTerms } from './http-source.ts';
import type { CatalogueSource } from './upstream.ts';

export interface UpstreamSettings {
  readonly privateUrl: string;
  readonly publicUrl: string;
  /** The bearer token of the private API and of shared launches. */
  readonly token: string | undefined;
  /** The hosts that launch URLs may have, in addition to the hosts of the two URLs above. */
  readonly launchHosts: readonly string[];
  readonly catalogueMs: Readonly<Record<CatalogueSource, number>>;
  readonly privateLaunchMs: number;
  /** The time limit for the private and the shared launch together. */
  readonly launchMs: number;
  readonly registrationMs: number;
  readonly breaker: BreakerTerms;
}

export const defaultUpstreamLimits = {
  catalogueMs: { private: deadlineMs(2000), public: deadlineMs(2000) },
  privateLaunchMs: deadlineMs(4000),
  // The limit is below 5 s, because the contract requires the answer to a launch within 5 s.
  launchMs: deadlineMs(4700),
  registrationMs: deadlineMs(5000),
  breaker: { failures: 5, restMs: 3000 },
};
