// Checks whether a fault has the programs and rights that it needs, and finds free ports.

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { access, constants } from 'node:fs/promises';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';

async function isThere(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function findProgram(name: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (await isThere(path)) return path;
  }
  return undefined;
}

/**
 * Returns the function `missing` of a fault. That function names the missing requirements for the scorecard,
 * or returns undefined if nothing is missing.
 */
export function needs(wanted: { programs?: readonly string[]; root?: boolean; linux?: boolean }) {
  return async (): Promise<string | undefined> => {
    const lacks: string[] = [];
    for (const name of wanted.programs ?? []) {
      if ((await findProgram(name)) === undefined) lacks.push(name);
    }
    if (wanted.linux && process.platform !== 'linux') lacks.push('Linux');
    if (wanted.root && process.geteuid?.() !== 0) lacks.push('root');
    return lacks.length > 0 ? `needs ${lacks.join(', ')}` : undefined;
  };
}

/**
 * Free ports are chosen from this range. The range is below the ports that systems use for outgoing
 * connections.
 */
const lowest = 20_000;
const highest = 32_000;

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    const server = createServer();
    server.listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
