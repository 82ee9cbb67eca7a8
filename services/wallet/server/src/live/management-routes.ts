// Streams live figures of a package to the panel as events. A stream ends with the session of its viewer.
import { Nothing } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import type { Unit } from '@counterfoil/kit/money';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { FastifyReply } from 'fastify';
import { type AccessPolicy, failures, getHome, getPrincipal, packageRoute } from '../access-policy.ts';
import { fail } from '../errors.ts';
import { getManagedPackage } from '../packages/queries.ts';
import { presentFigures } from './figures.ts';
import type { Figures, FigureWatch } from './watch-figures.ts';

const maxStreams = 100;
const maxPerPerson = 6;
/**
 * The maximum age of a stream. When it is reached, the stream ends and the browser reconnects automatically.
 */
const maxAgeMs = 15 * 60_000;
/** A stream is closed if its client leaves this many bytes unread. */
const maxUnread = 64 * 1024;

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/** The stream is only for people in the panel. Programs read the feed instead. */
export function registerLiveManagement(
  app: App,
  policy: AccessPolicy,
  deps: { db: Db; figures: FigureWatch },
): void {
  if (!policy.isPanel) return;
  const open = new Map<FastifyReply['raw'], bigint>();
  app.addHook('preClose', async () => {
    for (const raw of open.keys()) raw.destroy();
  });
  const { schema, onRequest } = packageRoute(policy, {
    role: 'member',
    summary: 'Live figures, as server-sent events',
    description: 'Sends an event every two seconds. The stream ends with the session.',
    data: Nothing,
  });
  const events = { description: 'Events.', content: { 'text/event-stream': { schema: {} } } };
  const route = { schema: { ...schema, response: { 200: events, ...failures } }, onRequest };
  app.get(`${policy.packagePath}/live`, route, async (request, reply) => {
    const { packageId } = getHome(request);
    const { personId = 0n } = getPrincipal(request).session ?? {};
    const own = [...open.values()].filter((each) => each === personId);
    if (open.size >= maxStreams || own.length >= maxPerPerson) throw fail('overloaded');
    const unit = await getManagedPackage(deps.db, packageId);
    const isAdmitted = () =>
      Promise.resolve(onRequest.call(app as never, request, reply as never)).then(
        () => true,
        () => false,
      );
    const { raw } = reply.hijack();
    raw.writeHead(200, { ...reply.getHeaders(), ...streamHeaders } as never);
    open.set(raw, personId);
    const stop = stream(raw, { isAdmitted, unit }, (listener) => deps.figures.watch(packageId, listener));
    raw.once('close', () => {
      stop();
      open.delete(raw);
    });
  });
}

/** Checks the access again before every event, so that the stream ends when the person signs out. */
function stream(
  raw: FastifyReply['raw'],
  given: { isAdmitted: () => Promise<boolean>; unit: Unit },
  watch: (listener: (figures: Figures) => void) => () => void,
): () => void {
  raw.write('retry: 3000\n\n');
  const endsAt = performance.now() + maxAgeMs;
  let isAsking = false;
  return watch((figures) => {
    if (isAsking) return;
    isAsking = true;
    void given.isAdmitted().then((isAdmitted) => {
      isAsking = false;
      if (raw.writableLength > maxUnread) return raw.destroy();
      if (!isAdmitted) return raw.end('event: ended\ndata: {}\n\n');
      raw.write(`data: ${JSON.stringify(presentFigures(figures, given.unit))}\n\n`);
      return performance.now() > endsAt ? raw.end() : undefined;
    });
  });
}
