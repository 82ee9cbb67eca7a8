// A connection as a source of games: it sends the dialect's signed requests to the provider.
import { createHash, randomBytes } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import type { Dispatcher } from 'undici';
import type { GameSource } from '../../games/game-sources.ts';
import { type BreakerTerms, createHttpSource, type HttpSource } from '../../upstream/http-source.ts';
import { checkHead, checkTransfer, parseLaunchUrl, readBody } from '../../upstream/read-answer.ts';
import { readCatalogue } from '../../upstream/read-catalogue.ts';
import {
  type CallReport,
  type FetchedCatalogue,
  type LaunchAnswer,
  type LaunchOrder,
  UpstreamFailure,
} from '../../upstream/upstream.ts';
import type { OpenConnection } from '../connection.ts';
import type { Terms } from '../dialects/dialect.ts';
import type { OutwardDialect, OutwardRequest, ProviderGame, Signing } from './outward-dialects.ts';

interface SourceTerms {
  /** The time limit for each request for a list of games or for a page of the list. */
  readonly catalogueMs: number;
  readonly breaker: BreakerTerms;
  /** Additional hosts that a launch URL may have. The host of the provider's URL is always allowed. */
  readonly launchHosts: readonly string[];
}

export interface ConnectionSourceDeps extends SourceTerms {
  readonly now: () => Date;
  readonly onCall: (report: CallReport<string>) => void;
  /** Resolves host names, and refuses names whose addresses are not public. */
  readonly lookup: LookupFunction;
  /** Returns the reason why a URL is not accepted; undefined if the URL is accepted. */
  readonly refuseUrl: (url: string) => string | undefined;
}

export interface ConnectionSource extends GameSource {
  close(): Promise<void>;
}

/**
 * The maximum size of a list. This limit is lower than the limit for the configured upstream, because the
 * dialects parse answers on the main thread.
 */
const maxListBytes = 8 * 1024 * 1024;
const maxGames = 20_000;
const maxPages = 400;
/** The time limit for all pages of a list together. */
const maxListMs = deadlineMs(120_000);
const maxLaunchBytes = 64 * 1024;
const capacities = { catalogue: 4, launch: 64 };

interface WantedSource {
  readonly connection: OpenConnection & { readonly upstreamUrl: string };
  readonly terms: Terms;
  readonly outward: OutwardDialect;
}

export function createConnectionSource(deps: ConnectionSourceDeps, wanted: WantedSource): ConnectionSource {
  const { connection } = wanted;
  const { packageId, id, gamePrefix, upstreamUrl: url } = connection;
  const { breaker, now, lookup } = deps;
  const open = <Name extends 'catalogue' | 'launch'>(name: Name) => {
    const onCall = ({ outcome }: CallReport<Name>) => deps.onCall({ source: `connection_${name}`, outcome });
    return createHttpSource({ name, url, capacity: capacities[name], breaker, now, onCall, lookup });
  };
  const catalogue = open('catalogue');
  const launch = open('launch');
  const origin = { prefix: gamePrefix, source: id };
  const parse = (body: Buffer) => readCatalogue(new Uint8Array(body), { origin });
  return {
    packageId,
    id,
    url,
    gamePrefix,
    fetchCatalogue: async (known): Promise<FetchedCatalogue | undefined> => {
      const list = await fetchList(deps, wanted, { source: catalogue, known });
      if (!list) return undefined;
      return { ...(await parse(Buffer.from(JSON.stringify({ games: list.games })))), hash: list.hash };
    },
    readCatalogue: async (body) => (await parse(body)).content,
    launch: (order, timeoutMs) => requestLaunch(deps, wanted, { source: launch, order, timeoutMs }),
    health: () => [catalogue.health(), launch.health()],
    close: async () => {
      await Promise.all([catalogue.close(), launch.close()]);
    },
  };
}

/**
 * Builds a signed request. Call this function just before the request is sent, because Slotegrator accepts a
 * signature for only 30 seconds.
 */
function sign(
  { now, refuseUrl }: ConnectionSourceDeps,
  { connection, terms }: WantedSource,
  build: (signing: Signing) => OutwardRequest | undefined,
): OutwardRequest {
  // An upstream URL contains a host name or an IP address. A host name is checked when it is resolved. This
  // check is for IP addresses.
  if (refuseUrl(connection.upstreamUrl) !== undefined) throw new UpstreamFailure('unreachable');
  const stamp = { timestamp: Math.floor(now().getTime() / 1000), nonce: randomBytes(16).toString('hex') };
  const request = build({ secrets: connection.secrets, terms, stamp });
  // The builder returns no request if the connection lacks a credential. A connection may lack a credential
  // that only requests to the provider need, for example `casino_id`.
  if (!request) throw new UpstreamFailure('not_authorised');
  return request;
}

const toHttp = ({ body, ...request }: OutwardRequest) => ({ ...request, ...(body.length > 0 && { body }) });

interface Asked {
  readonly source: HttpSource;
  readonly known: Buffer | undefined;
}

/**
 * Fetches the list of games. Returns undefined if the hash of the answers is `known`, because the list is
 * then unchanged.
 */
async function fetchList(
  deps: ConnectionSourceDeps,
  wanted: WantedSource,
  { source, known }: Asked,
): Promise<{ games: readonly ProviderGame[]; hash: Buffer } | undefined> {
  const { outward } = wanted;
  // The list is stored without the prefix. The prefix is added when the list is read, so that a change of the
  // prefix needs no new list.
  const terms = { ...wanted.terms, gamePrefix: '' };
  const startedAt = performance.now();
  const games: ProviderGame[] = [];
  const hash = createHash('sha256');
  let left = maxListBytes;
  let pageCount = 1;
  for (let page = 1; page <= pageCount; page++) {
    if (performance.now() - startedAt > maxListMs) throw new UpstreamFailure('timeout');
    const request = () => toHttp(sign(deps, wanted, (signing) => outward.buildList(signing, page)));
    const listed = await source.call(request, deps.catalogueMs, async (answer) => {
      checkHead(answer);
      const { bytes, hash: own } = await readBody(answer, left);
      left -= bytes.length;
      hash.update(own);
      if (!outward.isPaged && known?.equals(hash.copy().digest())) return undefined;
      const parsed = outward.parseList(answer.statusCode, toBuffer(bytes), terms);
      if (parsed.kind === 'failed') throw new UpstreamFailure(parsed.reason);
      if (parsed.pageCount > maxPages || games.length + parsed.games.length > maxGames) {
        throw new UpstreamFailure('too_large');
      }
      return parsed;
    });
    if (!listed) return undefined;
    games.push(...listed.games);
    ({ pageCount } = listed);
  }
  const digest = hash.digest();
  return known?.equals(digest) ? undefined : { games, hash: digest };
}

const toBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function requestLaunch(
  deps: ConnectionSourceDeps,
  wanted: WantedSource,
  { source, order, timeoutMs }: { source: HttpSource; order: LaunchOrder; timeoutMs: number },
): Promise<LaunchAnswer> {
  const { outward, connection } = wanted;
  const hosts = new Set([new URL(connection.upstreamUrl).hostname, ...deps.launchHosts]);
  const request = () => toHttp(sign(deps, wanted, (signing) => outward.buildLaunch(signing, order)));
  const read = async (answer: Dispatcher.ResponseData): Promise<LaunchAnswer> => {
    checkTransfer(answer);
    const { bytes } = await readBody(answer, maxLaunchBytes);
    const parsed = outward.parseLaunch(answer.statusCode, toBuffer(bytes));
    if (parsed.kind === 'refused') return parsed;
    if (parsed.kind === 'failed') throw new UpstreamFailure(parsed.reason);
    const launchUrl = parseLaunchUrl(parsed.launchUrl, hosts);
    if (launchUrl === undefined) throw new UpstreamFailure('wrong_shape');
    // No dialect reports when a launch URL expires. The URL is useless after the end of the session, so it
    // expires with the session.
    return { kind: 'launched', launchUrl, expiresAt: order.sessionExpiresAt };
  };
  return source.call(request, timeoutMs, read);
}
