// PUT …/versions/:version/file, for programs with a key and for people with a session: streams the file of a
// version to disk.
import type { Readable } from 'node:stream';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Id } from '@counterfoil/kit/http/parameters';
import { PrintableText } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import { type AccessPolicy, managed } from '../../access-policy.ts';
import { presentVersion, Version, VersionAnswer } from '../item-version.ts';
import { type MediaUploadDeps, registerMediaUpload } from '../media/upload-routes.ts';
import { attachFile } from './attach-file.ts';

interface Deps extends MediaUploadDeps {
  readonly maxUploadBytes: number;
}

/** Uses a separate Fastify scope, because only uploads get their bodies as streams of any content type. */
export async function registerFileUpload(app: App, policies: readonly AccessPolicy[], deps: Deps) {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    for (const policy of policies) {
      registerUpload(scope as unknown as App, policy, deps);
      registerMediaUpload(scope as unknown as App, policy, deps);
    }
  });
}

function registerUpload(app: App, policy: AccessPolicy, deps: Deps): void {
  const { db, filesDir, maxUploadBytes: maxBytes, now } = deps;
  const route = {
    scope: 'items:write',
    tag: 'Items (management)',
    summary: "Upload a version's file",
    data: Type.Object({ version: VersionAnswer }),
    params: { item_id: Id, version: Version },
  } as const;
  const FileName = PrintableText({
    min: 1,
    max: 200,
    description: 'The name under which buyers save the file.',
  });
  const managedOptions = managed(policy, route, {
    description:
      'The body is the file itself, of any content type. It replaces an earlier file of the version.',
    // The empty schema of `application/octet-stream` accepts the stream unchanged. All other content types
    // have no schema, so their bodies are not checked.
    body: { content: { 'application/octet-stream': { schema: {} } } },
    querystring: Type.Object({ file_name: Type.Optional(FileName) }),
  });
  const config = { slowBody: true, panelUpload: true };
  const options = { ...managedOptions, bodyLimit: maxBytes, config };
  app.put(`${policy.prefix}/items/:item_id/versions/:version/file`, options, async (request) => {
    const { item_id: itemId, version } = request.params;
    const upload = {
      caller: policy.callerOf(request),
      itemId: BigInt(itemId),
      version,
      fileName: request.query.file_name ?? `item-${itemId}-${version}`,
      source: (request.body as Readable | undefined) ?? request.raw,
      now,
    };
    const uploaded = await attachFile({ db, filesDir, maxBytes, logger: request.log }, upload);
    return answer(request, { version: presentVersion(uploaded) });
  });
}
