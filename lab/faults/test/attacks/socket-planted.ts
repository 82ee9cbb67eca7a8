// Copies of the code that serves requests from sockets, each with a bug that the comparison must detect.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SocketRequests } from '@counterfoil/kit/http/transport/socket-requests';
import { transformWithOxc } from 'vite';
import { compareConversation } from './compare-conversations.ts';
import { groupConversations, groupSystematic } from './socket-orders.ts';
import { openSocketServer } from './socket-server.ts';

const transport = new URL('../../../../libs/kit/src/http/transport/', import.meta.url);
const files = ['known-head', 'socket-connection', 'socket-requests'] as const;

interface PlantedBug {
  readonly name: string;
  readonly file: (typeof files)[number];
  /** This text of the source is replaced. */
  readonly before: string;
  readonly after: string;
}

const connection = { file: 'socket-connection' } as const;
const head = { file: 'known-head' } as const;

export const plantedBugs: readonly PlantedBug[] = [
  {
    ...head,
    name: 'the first byte of a head is not compared',
    before: 'head.compare(bytes, 0, at, 0, at)',
    after: 'head.compare(bytes, 1, at, 1, at)',
  },
  {
    ...head,
    name: 'one byte in the middle of a head is not compared',
    before: 'head.compare(bytes, 0, at, 0, at) !== 0',
    after:
      '(head.compare(bytes, 0, 50, 0, 50) !== 0 || (at > 51 && head.compare(bytes, 51, at, 51, at) !== 0))',
  },
  {
    ...head,
    name: 'the bytes after Content-Length are not compared',
    before: 'head.compare(bytes, at, bodyAt, digits.to) !== 0',
    after: 'false',
  },
  {
    ...head,
    name: 'bytes after the body are ignored',
    before: 'bytes.length !== bodyAt + length',
    after: 'bytes.length < bodyAt + length',
  },
  {
    ...head,
    name: 'an incomplete body is accepted',
    before: 'bytes.length !== bodyAt + length',
    after: 'bytes.length < bodyAt || bytes.length > bodyAt + length',
  },
  {
    ...connection,
    name: 'each request is answered twice',
    before: 'this.#write(status, headers, body, isLast);',
    after: 'for (let i = 0; i < 2; i++) this.#write(status, headers, body, isLast);',
  },
  {
    ...connection,
    name: 'each request is also given to node:http',
    before: 'if (!this.#serve(chunk)) this.#pass(chunk);',
    after: 'this.#serve(chunk); if (this.#state === "idle") this.#pass(chunk);',
  },
  {
    ...connection,
    name: 'waiting bytes are lost',
    before: 'this.#decide(waiting);',
    after: '',
  },
  {
    ...connection,
    name: 'waiting bytes of a closed connection reach a parser',
    before: 'if (!socket.writable) {\n      this.#state',
    after: 'if (socket.writable && !waiting && isLast) {\n      this.#state',
  },
  {
    ...connection,
    name: 'bytes that node:http has received are not counted',
    before: 'received === measureMessage(head, raw) &&',
    after: '',
  },
];

const folderName = 'counterfoil-planted-';

/**
 * Returns true if the copy with the bug threw the error, which counts as a difference. For example, a parser
 * that already serves another connection may throw. Any other error is thrown again.
 */
function isThrownByCopy(error: unknown): boolean {
  if (error instanceof Error && error.stack?.includes(folderName)) return true;
  throw error;
}

/** Returns the service's function with this bug. */
async function plant(bug: PlantedBug): Promise<(server: Server) => SocketRequests> {
  const folder = await mkdtemp(join(tmpdir(), folderName));
  try {
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    for (const file of files) {
      let source = await readFile(new URL(`${file}.ts`, transport), 'utf8');
      if (file === bug.file) {
        if (!source.includes(bug.before)) throw new Error(`the source of ${bug.name} has changed`);
        source = source.replace(bug.before, () => bug.after);
      }
      const { code } = await transformWithOxc(source, `${file}.ts`);
      await writeFile(
        join(folder, `${file}.js`),
        code.replaceAll(/from "\.\/([\w-]+)\.ts"/g, 'from "./$1.js"'),
      );
    }
    const load = createRequire(import.meta.url);
    return load(join(folder, 'socket-requests.js')).serveFromSockets;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Compares a small service that has this bug with node:http. Returns the number of conversations after which
 * a difference was found, or undefined if this number of changed requests showed no difference.
 */
export async function findPlanted(bug: PlantedBug, changed: number): Promise<number | undefined> {
  const [fromSockets, fromHttp] = await Promise.all([
    openSocketServer(await plant(bug)),
    openSocketServer(false),
  ]);
  const sockets = new Set<Socket>();
  for (const { app } of [fromSockets, fromHttp]) {
    app.server.on('connection', (socket: Socket) => sockets.add(socket));
  }
  let found: number | undefined;
  let count = 0;
  try {
    for (const group of [...groupSystematic(), ...groupConversations(changed)]) {
      const differs = await Promise.all(
        group.map((each) =>
          compareConversation({ fromSockets, fromHttp }, each).then(
            ({ result }) => result === 'different',
            isThrownByCopy,
          ),
        ),
      );
      const at = differs.indexOf(true);
      if (at !== -1) found ??= count + at + 1;
      count += group.length;
      if (found !== undefined) break;
    }
  } finally {
    for (const socket of sockets) socket.destroy();
    // A planted bug may leave a parser without a socket. Closing the server then fails.
    await Promise.allSettled([fromSockets.close(), fromHttp.close()]);
  }
  return found;
}
