// The interface to the upstream provider, independent of its protocol.
import { createLabelledCounter, type Metrics } from '@counterfoil/kit/observability/metrics';

type GameStatus = 'active' | 'maintenance' | 'disabled';

export interface CatalogueEntry {
  readonly gameId: string;
  /** The name and the id in lower case, for searching. */
  readonly search: string;
  /** The provider of the game in lower case; empty if it is unknown. */
  readonly provider: string;
  readonly category: string;
  readonly status: GameStatus | null;
  readonly hasDemo: boolean | null;
  /** The position of the record in `json`. */
  readonly start: number;
  readonly end: number;
}

export interface CatalogueContent {
  /** The JSON of all games in the order of their ids, separated by commas. */
  readonly json: Buffer;
  /** One entry per record, in the same order. */
  readonly entries: readonly CatalogueEntry[];
}

export const sourceNames = [
  'private_catalogue',
  'public_catalogue',
  'private_launch',
  'shared_launch',
  'registration',
] as const;

export type SourceName = (typeof sourceNames)[number];

/** The reasons of a failure. They are our own codes, because texts of the upstream are never passed on. */
export const failureReasons = [
  'unreachable',
  'timeout',
  'breaker_open',
  'busy',
  'redirected',
  'not_authorised',
  'wrong_status',
  'too_large',
  'not_json',
  'wrong_shape',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** The error of a source that gave no usable answer. A refusal by the provider is a usable answer. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  readonly reason: FailureReason;

  constructor(reason: FailureReason, options: { cause?: unknown } = {}) {
    super(`the upstream failed: ${reason}`, options);
    this.reason = reason;
  }
}

export type CatalogueSource = 'private' | 'public';

export interface FetchedCatalogue {
  /** The bytes as they were received. They are stored as the last good copy. */
  readonly body: Buffer;
  readonly hash: Buffer;
  readonly content: CatalogueContent;
}

export interface LaunchOrder {
  readonly uid: string;
  readonly playerId: string;
  readonly sessionId: string;
  readonly gameId: string;
  readonly mode: 'real' | 'demo';
  readonly currency: string;
  readonly decimals: number;
  readonly language: string | undefined;
  readonly platform: string | undefined;
  readonly returnUrl: string | undefined;
  readonly sessionExpiresAt: Date;
}

export type LaunchAnswer =
  | { readonly kind: 'launched'; readonly launchUrl: string; readonly expiresAt: Date }
  | { readonly kind: 'refused'; readonly code: 'game_not_found' | 'game_unavailable' };

export interface Registration {
  readonly uid: string;
  readonly callbackUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly security: 'headers' | 'signed' | 'encrypted';
  /** The AES key; undefined if the security mode of the package needs none. */
  readonly aesKey: string | undefined;
  readonly currency: string;
  readonly active: boolean;
}

export interface SourceHealth<Name extends string = SourceName> {
  readonly source: Name;
  readonly breaker: 'closed' | 'open' | 'half_open';
  readonly lastSuccessAt: Date | undefined;
  readonly lastFailureAt: Date | undefined;
  readonly lastFailure: FailureReason | undefined;
}

export interface CallReport<Name extends string = SourceName> {
  readonly source: Name;
  readonly outcome: 'success' | FailureReason;
}

/** The upstream provider. Every call throws an UpstreamFailure if the source cannot be used. */
export interface Upstream {
  /** Requests a catalogue. Returns undefined if the bytes of the catalogue still have the hash `known`. */
  fetchCatalogue(source: CatalogueSource, known: Buffer | undefined): Promise<FetchedCatalogue | undefined>;
  /** Parses the bytes of a stored copy in the same way as received bytes. */
  readCatalogue(body: Buffer): Promise<CatalogueContent>;
  launch(source: 'private' | 'shared', order: LaunchOrder, timeoutMs: number): Promise<LaunchAnswer>;
  registerPackage(registration: Registration): Promise<void>;
  health(): SourceHealth[];
  /** Calls the watcher for every call, including calls that the breaker prevented. */
  watch(watcher: (report: CallReport) => void): void;
  close(): Promise<void>;
}

/** Returns a function that counts the reported calls. */
export function createCallCounter(registry: Metrics): (report: CallReport<string>) => void {
  const calls = createLabelledCounter(registry, {
    name: 'upstream_calls_total',
    help: 'Calls to the game provider by source and outcome, including calls that were not sent',
    labelNames: ['source', 'outcome'],
  });
  return ({ source, outcome }) => calls.add({ source, outcome });
}
