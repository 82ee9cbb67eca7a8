// Serves the scripts and styles of the pages, which are read once at start.
import { readFile } from 'node:fs/promises';
import type { App } from '@counterfoil/kit/http/app';
import { PlainError } from '@counterfoil/kit/process/plain-error';
import { fail } from './errors.ts';
import { sendTagged } from './http.ts';

/** Scripts are served from the build, because they are compiled. Styles are served unchanged. */
const folders = { js: '../dist/client/', css: '../client/' };
const files = [
  'api.js',
  'control.js',
  'game.js',
  'money.js',
  'page-parts.js',
  'paytable.js',
  'pick-view.js',
  'slot-view.js',
  'wheel.js',
  'control.css',
  'game.css',
  'picks.css',
  'reels.css',
];

const read = async (name: string) => {
  const kind = name.endsWith('.js') ? 'js' : 'css';
  const body = await readFile(new URL(folders[kind] + name, import.meta.url), 'utf8').catch(() => {
    throw new PlainError(`${name} of the game pages is missing; run npm run build.`);
  });
  return [name, { body, type: kind === 'js' ? 'text/javascript' : 'text/css' }] as const;
};

export async function registerAssets(app: App): Promise<void> {
  const assets = new Map(await Promise.all(files.map(read)));
  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const asset = assets.get(request.params.name);
    if (!asset) throw fail('route_not_found');
    return sendTagged(request, reply, { ...asset, maxAgeSeconds: 300 });
  });
}
