// PUT …/items/:item_id/media/:field, for programs with a key and for people with a session: uploads an image,
// audio file or video of an item.
import type { Readable } from 'node:stream';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Id } from '@counterfoil/kit/http/parameters';
import { type Static, Type } from 'typebox';
import { type AccessPolicy, type ManagementDeps, managed } from '../../access-policy.ts';
import { fail } from '../../errors.ts';
import { type CountCodes, ManagedItem, presentManagedItems } from '../management/managed-item.ts';
import { type MediaLimits, mediaFields } from './media-file.ts';
import { uploadMedia } from './upload-media.ts';

export interface MediaUploadDeps extends ManagementDeps {
  readonly filesDir: string;
  readonly publicUrl: string;
  readonly mediaLimits: MediaLimits;
  readonly countCodes: CountCodes;
}

/** The scope of `app` must pass bodies on as streams. */
export function registerMediaUpload(app: App, policy: AccessPolicy, deps: MediaUploadDeps): void {
  const { db, mediaLimits } = deps;
  const route = {
    scope: 'items:write',
    tag: 'Items (management)',
    summary: 'Upload an image, audio file or video of an item',
    data: Type.Object({ item: ManagedItem }),
    params: {
      item_id: Id,
      field: Type.Enum([...mediaFields], {
        description: 'The media field that gets the file. A screenshot is added to the list.',
      }),
    },
  } as const;
  const managedOptions = managed(policy, route, {
    description:
      'The body is the file itself. Its bytes determine its format: JPEG, PNG or WebP for an image, ' +
      'MP3, WAV or M4A for audio, MP4 for a video. Metadata, such as the place of a photo, is removed. The ' +
      'field then contains the URL of the file. A repeated upload of the same file changes nothing.',
    // As for the file of a version, the empty schema accepts the stream unchanged.
    body: { content: { 'application/octet-stream': { schema: {} } } },
  });
  const bodyLimit = Math.max(...Object.values(mediaLimits.maxBytes));
  const options = { ...managedOptions, bodyLimit, config: { slowBody: true, panelUpload: true } };
  app.put(`${policy.prefix}/items/:item_id/media/:field`, options, async (request, reply) => {
    const { 'content-type': type = '', 'content-length': length } = request.headers;
    if (type.trim().toLowerCase().startsWith('multipart/'))
      throw fail('unsupported_media_type', { errors: { body: ['must be the file itself, not a form.'] } });
    const item = await uploadMedia(
      { ...deps, logger: request.log },
      {
        caller: policy.callerOf(request),
        itemId: BigInt(request.params.item_id),
        field: request.params.field,
        source: (request.body as Readable | undefined) ?? request.raw,
        announcedBytes: length === undefined ? undefined : Number(length),
        isAborted: () => reply.raw.destroyed,
      },
    );
    const [presented] = await presentManagedItems(db, deps.countCodes, [item]);
    return answer(request, { item: presented as Static<typeof ManagedItem> });
  });
}
