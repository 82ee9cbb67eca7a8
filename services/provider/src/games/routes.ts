// The two catalogues, and the pictures of their games.
import type { App } from '@counterfoil/kit/http/app';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import type { Faults, FaultTarget } from '../faults/faults.ts';
import { sendTagged } from '../http.ts';
import { drawPicture, pictureFormats } from './draw-picture.ts';
import { countSymbols, drawSymbol } from './draw-symbol.ts';
import { presentGame, presentPublicGame } from './game.ts';
import { games } from './make-games.ts';

/** The games are part of the program, so the list changes only with a release. */
const updatedAt = '2026-01-01T00:00:00Z';

export function registerCatalogue(
  app: App,
  options: { target: Extract<FaultTarget, 'private' | 'public'>; siteUrl: string; faults: Faults },
): void {
  const { target, siteUrl, faults } = options;
  const all = [...games.values()];
  const list =
    target === 'private'
      ? all.map((game) => presentGame(game, siteUrl))
      : all.filter(({ isPublic }) => isPublic).map((game) => presentPublicGame(game, siteUrl));
  app.get('/v1/games', async () => {
    const fault = faults.read()[target];
    if (fault === 'empty') return { updated_at: updatedAt, games: [] };
    const shown = fault === 'shrunk' ? list.slice(0, Math.floor(list.length / 5)) : list;
    return { updated_at: updatedAt, games: shown };
  });
}

export function registerPictures(app: App): void {
  const Id = Type.String({ maxLength: 100 });
  const Format = Type.Enum(Object.keys(pictureFormats) as (keyof typeof pictureFormats)[]);
  app.get(
    '/pictures/:id/:format.svg',
    { schema: { params: Type.Object({ id: Id, format: Format }) } },
    async (request, reply) => {
      const { id, format } = request.params as { id: string; format: keyof typeof pictureFormats };
      const game = games.get(id);
      if (!game) throw fail('route_not_found');
      return sendPicture(request, reply, drawPicture(game, format));
    },
  );
  app.get(
    '/pictures/:id/symbols/:index.svg',
    { schema: { params: Type.Object({ id: Id, index: Type.String({ pattern: '^[0-9]{1,3}$' }) }) } },
    async (request, reply) => {
      const { id, index } = request.params as { id: string; index: string };
      const game = games.get(id);
      if (!game || Number(index) >= countSymbols(game)) throw fail('route_not_found');
      return sendPicture(request, reply, drawSymbol(game, Number(index)));
    },
  );
}

function sendPicture(request: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  reply.headers({
    // If an SVG picture is opened directly, the browser treats it as a document. Scripts in the picture must
    // not run.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
  });
  return sendTagged(request, reply, { body, type: 'image/svg+xml', maxAgeSeconds: 86_400 });
}
