// The update server: a plain feed, metadata for WordPress, and a Composer repository for each workspace.

import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { Answer, answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import { Id } from '@counterfoil/kit/http/parameters';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { makeDownloadUrl } from '../downloads/make-download-link.ts';
import { createFileSender, type SenderDeps } from '../downloads/send-file.ts';
import { fail } from '../errors.ts';
import type { Item } from '../items/item.ts';
import { channels, Version } from '../items/item-version.ts';
import { findDownload, getOwnItem, listReleases } from '../items/management/queries.ts';
import { maxLicenceLength } from '../licences/read-licence.ts';
import type { RefuseUnknown } from '../purchases/validation/answer-validation.ts';
import { refuseField } from '../wire/refusals.ts';
import {
  type Entitlement,
  type EntitlementDeps,
  getEntitlement,
  mayDownload,
  readProof,
} from './entitlement.ts';
import { getReleasedItem } from './queries.ts';
import {
  ComposerAnswer,
  FeedAnswer,
  type MakeLink,
  presentComposer,
  presentFeed,
  presentWordPress,
  WordPressAnswer,
} from './release.ts';

export interface UpdateDeps extends EntitlementDeps, SenderDeps {
  readonly masterKey: MasterKey;
  readonly publicUrl: string;
  readonly downloadLinkHours: number;
}

const hourMs = 3_600_000;
const tags = ['Updates'];

const Proof = (description: string) => Type.String({ maxLength: maxLicenceLength, description });
const ProofHeader = Type.Object({
  'x-purchase-code': Type.Optional(Proof('A purchase code, or a licence of `POST /api/v1/licences`.')),
});
const ChannelQuery = {
  channel: Type.Optional(
    Type.Enum([...channels], { description: '`stable` by default. `beta` offers all versions.' }),
  ),
};

export function registerUpdateRoutes(app: App, deps: UpdateDeps): void {
  registerFeed(app, deps);
  registerWordPress(app, deps);
  registerComposer(app, deps);
}

/**
 * Returns the item, and the entitlement that the code in the request proves. The entitlement is undefined if
 * the request has no code. Buyers of a withdrawn item still get updates. All other requests for a withdrawn
 * item get the error of a missing item, even requests with an unknown code.
 */
async function getFeed(
  deps: UpdateDeps,
  request: FastifyRequest,
  { itemId, inQuery }: { itemId: bigint; inQuery?: string | undefined },
): Promise<{ item: Item; entitlement: Entitlement | undefined }> {
  const proof = readProof(request, inQuery);
  const item = await getReleasedItem(deps.db, itemId);
  const isPublic = item.state === 'published';
  if (proof === undefined) {
    if (!isPublic) throw fail('item_not_found');
    return { item, entitlement: undefined };
  }
  const refuseUnknown = () => fail('item_not_found');
  const wanted = { workspaceId: item.workspaceId, itemId, ...(!isPublic && { refuseUnknown }) };
  const entitlement = await getEntitlement(deps, wanted, { proof, address: request.ip });
  return { item, entitlement };
}

const linkTo =
  (deps: UpdateDeps, entitlement: Entitlement | undefined): MakeLink =>
  (release) => {
    if (!entitlement || !mayDownload(entitlement, release)) return undefined;
    const expiresAt = new Date(deps.now().getTime() + deps.downloadLinkHours * hourMs);
    return makeDownloadUrl(deps, { ...entitlement, version: release.version, expiresAt });
  };

function registerFeed(app: App, deps: UpdateDeps): void {
  const schema = {
    tags,
    summary: 'The versions of an item, newest first',
    description: 'Needs no API key. With the code of a purchase, versions have download links.',
    params: Type.Object({ item: Id }),
    querystring: Type.Object({
      channel: Type.Optional(Type.Enum([...channels], { description: 'Only versions of this channel.' })),
    }),
    headers: ProofHeader,
    response: { 200: Answer(FeedAnswer), '4xx': ErrorAnswer },
  };
  app.get('/updates/:item.json', { schema }, async (request, reply) => {
    if ('purchase_code' in request.query)
      throw refuseField('purchase_code', 'must be sent in the header X-Purchase-Code, never in a URL.');
    const { item, entitlement } = await getFeed(deps, request, { itemId: BigInt(request.params.item) });
    const { channel } = request.query;
    const { workspaceId, id: itemId } = item;
    const releases = await listReleases(deps.db, { workspaceId, itemId, channel });
    const makeLink = linkTo(deps, entitlement);
    (reply as FastifyReply).header('cache-control', 'no-store');
    return answer(
      request,
      presentFeed(item, releases, { makeLink, updatesUntil: entitlement?.updatesUntil }),
    );
  });
}

function registerWordPress(app: App, deps: UpdateDeps): void {
  const schema = {
    tags,
    summary: 'The newest version for WordPress update checkers',
    description:
      'Needs no API key. With the code of a purchase, the answer has a download link. Prefer the header; ' +
      'the query is for checkers that cannot send one. Unknown query parameters are ignored.',
    params: Type.Object({ item: Id }),
    querystring: Type.Object({
      ...ChannelQuery,
      purchase_code: Type.Optional(Proof('The code, for checkers that cannot send a header.')),
    }),
    headers: ProofHeader,
    response: { 200: WordPressAnswer, '4xx': ErrorAnswer },
  };
  app.get('/updates/wordpress/:item', { schema }, async (request, reply) => {
    const { channel = 'stable', purchase_code: inQuery } = request.query;
    const itemId = BigInt(request.params.item);
    const { item, entitlement } = await getFeed(deps, request, { itemId, inQuery });
    const { workspaceId } = item;
    // The channel `beta` offers the newest version, whether it is a beta or not.
    const ofChannel = channel === 'beta' ? undefined : channel;
    const [newest, ...older] = await listReleases(deps.db, { workspaceId, itemId, channel: ofChannel });
    if (!newest) throw fail('version_not_found');
    (reply as FastifyReply).header('cache-control', 'no-store');
    const feedUrl = `${deps.publicUrl}/updates/${itemId}.json`;
    return presentWordPress(item, [newest, ...older], { makeLink: linkTo(deps, entitlement), feedUrl });
  });
}

/** If Composer gets this header, it asks for a password and sends the request again with the password. */
const challenge = { 'www-authenticate': 'Basic realm="updates", charset="UTF-8"' };

function registerComposer(app: App, deps: UpdateDeps): void {
  const send = createFileSender(app, deps);
  // An unknown code gets a challenge too, so that Composer asks for another code.
  const refuseUnknown: RefuseUnknown = (limited) =>
    limited ?? fail('purchase_code_invalid', { headers: challenge });
  const authorize = (request: FastifyRequest, workspace: string) => {
    const proof = readProof(request);
    if (proof === undefined) throw fail('purchase_code_missing', { headers: challenge });
    const wanted = { workspaceId: BigInt(workspace), itemId: undefined, refuseUnknown };
    return getEntitlement(deps, wanted, { proof, address: request.ip });
  };
  const description = 'HTTP basic authentication with a code or licence as the password, and any user name.';
  const common = { tags, description, headers: ProofHeader };
  const listing = {
    ...common,
    summary: 'A Composer repository with the package of a purchase',
    params: Type.Object({ workspace: Id }),
    response: { 200: ComposerAnswer, '4xx': ErrorAnswer },
  };
  app.get('/updates/composer/:workspace/packages.json', { schema: listing }, async (request, reply) => {
    const { workspace } = request.params;
    const entitlement = await authorize(request, workspace);
    const item = await getOwnItem(deps.db, entitlement);
    const releases = await listReleases(deps.db, { ...entitlement, until: entitlement.updatesUntil });
    (reply as FastifyReply).header('cache-control', 'no-store');
    return presentComposer(item, releases, `${deps.publicUrl}/updates/composer/${workspace}`);
  });

  const bytes = { 'application/octet-stream': { schema: {} } };
  const sending = {
    ...common,
    summary: 'The archive of a package',
    params: Type.Object({ workspace: Id, item: Id, version: Version }),
    response: {
      200: { description: 'The whole file.', content: bytes },
      206: { description: 'The requested range.', content: bytes },
      304: Type.Null({ description: 'Not changed: the client has the version with this ETag.' }),
      '4xx': ErrorAnswer,
    },
  };
  app.get(
    '/updates/composer/:workspace/dist/:item/:version.zip',
    { schema: sending },
    async (request, reply) => {
      const { workspace, item, version } = request.params as Record<'workspace' | 'item' | 'version', string>;
      const entitlement = await authorize(request, workspace);
      // A valid code of another item, and an unknown item, get the same error as an unknown version.
      const isOther = entitlement.itemId !== BigInt(item);
      const found = isOther ? undefined : await findDownload(deps.db, { ...entitlement, version });
      if (!found || !mayDownload(entitlement, found)) throw fail('version_not_found');
      return send(request, reply as FastifyReply, { ...entitlement, version, file: found.file });
    },
  );
}
