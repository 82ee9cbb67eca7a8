// GET /media/:workspace/:file: sends an uploaded image, audio file or video to everybody who has its address.
import type { App } from '@counterfoil/kit/http/app';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { fail } from '../../errors.ts';
import { sendStoredFile } from '../../files/send-stored-file.ts';
import { hasEnding, mediaFolder, mediaTypes, readMediaName } from './media-file.ts';
import { findMedia } from './queries.ts';

const types = Object.values(mediaTypes).flatMap((each) => Object.keys(each));
const content = Object.fromEntries(types.map((type) => [type, { schema: {} }]));
const answers = {
  200: { description: 'The whole file.', content },
  206: { description: 'The requested range.', content },
  304: Type.Null({ description: 'Not changed: the client has the version with this ETag.' }),
  404: ErrorAnswer,
  416: ErrorAnswer,
};

/** A file never changes, because a new upload gets a new address. */
const cacheHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  // Any site may show the media of an item that it sells.
  'cross-origin-resource-policy': 'cross-origin',
};

const workspaceForm = /^[1-9][0-9]{0,17}$/;

export function registerMediaRoutes(app: App, { db, filesDir }: { db: Db; filesDir: string }): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/media/:workspace/:file',
    schema: {
      tags: ['Media'],
      summary: 'Read an uploaded image, audio file or video',
      description:
        'The address of a file is in the media fields of its item, and nobody can guess it. Accepts one ' +
        'byte range. The address of a file that was replaced or removed answers 404.',
      params: Type.Object({
        workspace: Type.String({ description: 'The id of the workspace.' }),
        file: Type.String({ description: 'The name of the file.' }),
      }),
      response: answers,
    },
    handler: async (request, reply) => {
      const { workspace, file } = request.params as { workspace: string; file: string };
      const name = readMediaName(file);
      if (!name || !workspaceForm.test(workspace)) throw fail('media_not_found');
      const workspaceId = BigInt(workspace);
      const found = await findMedia(db, { workspaceId, key: name.key });
      if (!found || !hasEnding(found, name.ending)) throw fail('media_not_found');
      return sendStoredFile(request, reply, {
        filesDir: mediaFolder(filesDir, workspaceId),
        file: found,
        type: found.type,
        headers: {},
        cacheHeaders,
      });
    },
  });
}
