// One page of metrics for all processes on a port. The process that receives the request collects the metrics
// of the others.
import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { deadlineMs } from '../process/deadline-factor.ts';

/**
 * The longest wait for the metrics of another process, which may be starting or may hang. After this time,
 * the page is sent without the metrics of that process.
 */
const timeoutMs = deadlineMs(1000);

type Message =
  /**
   * With `wanted`, a worker requests the pages of all processes. With `asked`, the supervisor requests the
   * page of a worker.
   */
  | { readonly metrics: 'wanted' | 'asked'; readonly id: string }
  /** `page` is the answer of a worker to `asked`. `pages` is the answer of the supervisor to `wanted`. */
  | { readonly metrics: 'page'; readonly id: string; readonly page: string }
  | { readonly metrics: 'pages'; readonly id: string; readonly pages: readonly string[] };

/** Passes pages of metrics between processes. The process that supervises the others calls this function. */
export function shareMetrics(listWorkers: () => readonly Worker[]): void {
  const open = new Map<string, { pages: string[]; missing: number; done: () => void }>();
  const collect = (asker: Worker, id: string) => {
    const asked = listWorkers().filter((worker) => worker.isConnected());
    const pages: string[] = [];
    const done = () => {
      clearTimeout(timer);
      if (open.delete(id) && asker.isConnected()) {
        asker.send({ metrics: 'pages', id, pages } satisfies Message);
      }
    };
    const timer = setTimeout(done, timeoutMs);
    open.set(id, { pages, missing: asked.length, done });
    for (const worker of asked) worker.send({ metrics: 'asked', id } satisfies Message);
  };
  cluster.on('message', (worker, message: Message) => {
    if (message.metrics === 'wanted') collect(worker, message.id);
    if (message.metrics !== 'page') return;
    const round = open.get(message.id);
    round?.pages.push(message.page);
    if (round && --round.missing === 0) round.done();
  });
}

/**
 * Returns a function that collects and joins the pages of all processes. If the service has only one process,
 * returns `own`.
 */
export function collectMetrics(own: () => Promise<string>): () => Promise<string> {
  if (!cluster.isWorker) return own;
  const waiting = new Map<string, (pages: readonly string[]) => void>();
  process.on('message', (message: Message) => {
    if (message?.metrics === 'pages') waiting.get(message.id)?.(message.pages);
    if (message?.metrics !== 'asked') return;
    const { id } = message;
    void own().then((page) => process.send?.({ metrics: 'page', id, page } satisfies Message));
  });
  return async () => {
    const id = randomUUID();
    const pages = await new Promise<readonly string[]>((resolve) => {
      const timer = setTimeout(() => resolve([]), 2 * timeoutMs);
      waiting.set(id, (found) => {
        clearTimeout(timer);
        resolve(found);
      });
      process.send?.({ metrics: 'wanted', id } satisfies Message);
    });
    waiting.delete(id);
    return pages.length === 0 ? own() : joinPages(pages);
  };
}

/** Joins pages. Prometheus requires that the lines of one metric are together under one description. */
export function joinPages(pages: readonly string[]): string {
  const heads = new Map<string, string>();
  const lines = new Map<string, string[]>();
  for (const page of pages) {
    for (const part of page.split(/^(?=# HELP )/m)) {
      const [help = '', type = '', ...samples] = part.trimEnd().split('\n');
      if (help === '') continue;
      heads.set(help, `${help}\n${type}`);
      lines.set(help, [...(lines.get(help) ?? []), ...samples.filter((line) => line !== '')]);
    }
  }
  const parts = [...heads].map(([help, head]) => [head, ...(lines.get(help) ?? [])].join('\n'));
  return `${parts.join('\n\n')}\n`;
}
