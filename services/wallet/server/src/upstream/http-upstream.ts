// The HTTP adapter for docs/reference/provider.md. Every answer is limited in size and validated.
import type { Dispatcher } from 'undici';
import { createHttpSource, type HttpSource } from './http-source.ts';
import { checkHead, parseLaunchUrl, readBody, readSmallJson } from './read-answer.ts';
import { readCatalogue } from './read-catalogue.ts';
import {
  type CallReport,
  type LaunchAnswer,
  type LaunchOrder,
  type Registration,
  type SourceName,
  sourceNames,
  type Upstream,
  UpstreamFailure,
} from './upstream.ts';
import type { UpstreamSettings } from './upstream-settings.ts';

const maxCatalogueBytes = 16 * 1024 * 1024;
const maxAnswerBytes = 64 * 1024;

const capacities: Record<SourceName, number> = {
  private_catalogue: 4,
  public_catalogue: 4,
  private_launch: 64,
  shared_launch: 64,
  registration: 8,
};

export function createHttpUpstream(settings: UpstreamSettings, now: () => Date = () => new Date()): Upstream {
  const watchers: ((report: CallReport) => void)[] = [];
  const onCall = (report: CallReport) => {
    for (const watcher of watchers) watcher(report);
  };
  const sources = openSources(settings, { now, onCall });
  const all = Object.values(sources);
  return {
    ...createCalls(settings, sources),
    readCatalogue: async (body) => (await readCatalogue(new Uint8Array(body))).content,
    health: () => all.map((each) => each.health()),
    watch: (watcher) => void watchers.push(watcher),
    close: async () => {
      await Promise.all(all.map((each) => each.close()));
    },
  };
}

type Sources = Record<SourceName, HttpSource<SourceName>>;

function openSources(
  settings: UpstreamSettings,
  shared: { now: () => Date; onCall: (report: CallReport) => void },
): Sources {
  const open = (name: SourceName): [SourceName, HttpSource<SourceName>] => {
    const isPublic = name === 'public_catalogue' || name === 'shared_launch';
    const url = isPublic ? settings.publicUrl : settings.privateUrl;
    const { breaker } = settings;
    const terms = { name, url, breaker, capacity: capacities[name] };
    return [name, createHttpSource({ ...terms, ...shared })];
  };
  return Object.fromEntries(sourceNames.map(open)) as Sources;
}

function createCalls(
  settings: UpstreamSettings,
  sources: Sources,
): Pick<Upstream, 'fetchCatalogue' | 'launch' | 'registerPackage'> {
  const { token } = settings;
  const hosts = listLaunchHosts(settings);
  return {
    fetchCatalogue: (from, known) => {
      const ownToken = from === 'private' ? token : undefined;
      const request = { method: 'GET', path: '/v1/games', token: ownToken } as const;
      const timeoutMs = settings.catalogueMs[from];
      return sources[`${from}_catalogue`].call(request, timeoutMs, async (answer, signal) => {
        checkHead(answer);
        if (answer.statusCode !== 200) throw new UpstreamFailure('wrong_status');
        const { bytes, hash } = await readBody(answer, maxCatalogueBytes);
        if (known?.equals(hash)) return undefined;
        return { ...(await readCatalogue(bytes, { signal })), hash };
      });
    },
    launch: (from, order, timeoutMs) => {
      const path = from === 'private' ? '/v1/launches' : '/v1/shared-launches';
      const request = { method: 'POST', path, token, body: presentOrder(order) } as const;
      const source = sources[`${from}_launch`];
      return source.call(request, timeoutMs, (answer) => readLaunch(answer, hosts));
    },
    registerPackage: (registration) => {
      const path = `/v1/packages/${encodeURIComponent(registration.uid)}`;
      const body = presentRegistration(registration);
      const request = { method: 'PUT', path, token, body } as const;
      return sources.registration.call(request, settings.registrationMs, async (answer) => {
        checkHead(answer);
        if (answer.statusCode !== 200) throw new UpstreamFailure('wrong_status');
        const { registered_at: at } = asRecord(await readSmallJson(answer, maxAnswerBytes));
        if (!parseTime(at)) throw new UpstreamFailure('wrong_shape');
      });
    },
  };
}

const listLaunchHosts = ({ privateUrl, publicUrl, launchHosts }: UpstreamSettings) =>
  new Set([...[privateUrl, publicUrl].map((url) => new URL(url).hostname), ...launchHosts]);

const presentOrder = (order: LaunchOrder) => ({
  package: order.uid,
  player_id: order.playerId,
  session_id: order.sessionId,
  game_id: order.gameId,
  mode: order.mode,
  currency: order.currency,
  decimals: order.decimals,
  language: order.language ?? null,
  platform: order.platform ?? null,
  return_url: order.returnUrl ?? null,
  session_expires_at: order.sessionExpiresAt.toISOString(),
});

const presentRegistration = (registration: Registration) => ({
  callback_url: registration.callbackUrl,
  key: registration.apiKey,
  secret: registration.apiSecret,
  security: registration.security,
  aes_key: registration.aesKey ?? null,
  currency: registration.currency,
  active: registration.active,
});

/**
 * Only the two error codes in docs/reference/provider.md are refusals of a launch. Any other error means that
 * the source failed.
 */
async function readLaunch(
  answer: Dispatcher.ResponseData,
  hosts: ReadonlySet<string>,
): Promise<LaunchAnswer> {
  checkHead(answer);
  const { statusCode } = answer;
  const body = asRecord(await readSmallJson(answer, maxAnswerBytes));
  if (statusCode === 404 || statusCode === 409) {
    const { code } = asRecord(body.error);
    if (statusCode === 404 && code === 'game_not_found') return { kind: 'refused', code };
    if (statusCode === 409 && code === 'game_unavailable') return { kind: 'refused', code };
  }
  if (statusCode !== 201 && statusCode !== 200) throw new UpstreamFailure('wrong_status');
  const launchUrl = parseLaunchUrl(body.launch_url, hosts);
  const expiresAt = parseTime(body.expires_at);
  if (launchUrl === undefined || !expiresAt) throw new UpstreamFailure('wrong_shape');
  return { kind: 'launched', launchUrl, expiresAt };
}

const asRecord = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};

const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

function parseTime(value: unknown): Date | undefined {
  if (typeof value !== 'string' || !timeForm.test(value)) return undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
