// The scripts and styles of the pages, read once at start.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { App } from '@counterfoil/kit/app';
import { PlainError } from '@counterfoil/kit/plain-error';
import { fail } from './errors.ts';

/** Scripts are compiled to one folder; styles are served as they were written. */
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
];

export async function registerAssets(app: App): Promise<void> {
  const assets = new Map(
    await Promise.all(
      files.map(async (name) => {
        const kind = name.endsWith('.js') ? 'js' : 'css';
        const body = await readFile(new URL(folders[kind] + name, import.meta.url)).catch(() => {
          throw new PlainError(`${name} of the game pages is missing; run npm run build.`);
        });
        const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
        const type = kind === 'js' ? 'text/javascript' : 'text/css';
        return [name, { body, tag, type: `${type}; charset=utf-8` }] as const;
      }),
    ),
  );
  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const asset = assets.get(request.params.name);
    if (!asset) throw fail('route_not_found');
    reply.headers({ 'cache-control': 'public, max-age=300', etag: asset.tag });
    if (request.headers['if-none-match'] === asset.tag) return reply.code(304).send();
    return reply.type(asset.type).send(asset.body);
  });
}
