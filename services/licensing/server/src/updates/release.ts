// The releases of an item in three formats: the plain feed, WordPress and Composer.
import { presentTime } from '@counterfoil/kit/http/answers';
import { Type } from 'typebox';
import type { Item } from '../items/item.ts';
import { channels } from '../items/item-version.ts';
import type { Release } from '../items/management/queries.ts';
import { NamedObject } from '../wire/input.ts';

/** Returns the address of the file, or undefined if the caller may not download the release. */
export type MakeLink = (release: Release) => string | undefined;

export const FeedAnswer = Type.Object({
  item: Type.Object({ id: Type.Integer(), name: Type.String() }),
  updates_until: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'The purchase includes versions until then. Absent without a code, or without an end.',
    }),
  ),
  versions: Type.Array(
    NamedObject('Release', {
      version: Type.String(),
      channel: Type.Enum([...channels], { description: 'The channel of the version.' }),
      date: Type.String({ format: 'date-time', description: 'When the version was added.' }),
      notes: Type.String(),
      sha256: Type.String({ description: 'The SHA-256 of the file, in hexadecimal.' }),
      size: Type.Integer({ description: 'The size of the file in bytes.' }),
      download_url: Type.Optional(
        Type.String({ description: 'A signed link that expires. Absent if the caller may not download.' }),
      ),
    }),
  ),
});

const present = (release: Release, link: string | undefined) => ({
  version: release.version,
  channel: release.channel,
  date: presentTime(release.createdAt),
  notes: release.notes,
  sha256: release.file.sha256.toString('hex'),
  size: Number(release.file.bytes),
  ...(link !== undefined && { download_url: link }),
});

export const presentFeed = (
  item: Item,
  releases: readonly Release[],
  { makeLink, updatesUntil }: { makeLink: MakeLink; updatesUntil: Date | undefined },
) => ({
  item: { id: Number(item.id), name: item.name },
  ...(updatesUntil && { updates_until: presentTime(updatesUntil) }),
  versions: releases.map((each) => present(each, makeLink(each))),
});

export const WordPressAnswer = NamedObject('WordPressUpdate', {
  name: Type.String(),
  slug: Type.String({ description: 'The name in lower case, with hyphens.' }),
  version: Type.String({ description: 'The newest version of the channel.' }),
  homepage: Type.String({ description: 'The address of a demo; "" if there is none.' }),
  details_url: Type.String({
    description: 'The address that WordPress shows for a theme: the demo, or the plain feed of the item.',
  }),
  requires: Type.String({ description: 'The oldest version of WordPress; "" if not known.' }),
  tested: Type.String({ description: 'The newest tested version of WordPress; "" if not known.' }),
  requires_php: Type.String({ description: 'The oldest version of PHP; "" if not known.' }),
  last_updated: Type.String({ description: '`YYYY-MM-DD HH:MM:SS`, in UTC.' }),
  sections: Type.Object(
    {
      description: Type.String({ description: 'The description of the item, as HTML.' }),
      changelog: Type.String({ description: 'The notes of the newest versions, as HTML.' }),
    },
    { description: 'The texts that WordPress shows in the dialog with the details of the plug-in.' },
  ),
  banners: Type.Object(
    {
      low: Type.Optional(Type.String({ description: 'Address of the preview image.' })),
      high: Type.Optional(Type.String({ description: 'Address of the preview image.' })),
    },
    { description: 'Empty if the item has no preview image.' },
  ),
  icons: Type.Object(
    { default: Type.Optional(Type.String({ description: 'Address of the thumbnail.' })) },
    { description: 'Empty if the item has no thumbnail.' },
  ),
  sha256: Type.String({ description: 'The SHA-256 of the file, in hexadecimal.' }),
  download_url: Type.Optional(
    Type.String({ description: 'A signed link that expires. Absent if the caller may not download.' }),
  ),
});

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const toHtml = (text: string) =>
  text
    .replace(/[&<>"]/g, (each) => escapes[each] ?? each)
    .split(/\n{2,}/)
    .filter((each) => each.trim() !== '')
    .map((each) => `<p>${each.trim().replaceAll('\n', '<br>')}</p>`)
    .join('');

const makeSlug = (item: Item) => {
  const slug = item.name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return slug.replace(/^-|-$/g, '') || `item-${item.id}`;
};

const changelogLength = 20;

/** Presents the newest release for WordPress. `releases` begins with the newest release. */
export function presentWordPress(
  item: Item,
  releases: readonly [Release, ...Release[]],
  { makeLink, feedUrl }: { makeLink: MakeLink; feedUrl: string },
) {
  const [newest] = releases;
  const link = makeLink(newest);
  const { previewImageUrl: image, thumbnailUrl: icon } = item;
  const changelog = releases
    .slice(0, changelogLength)
    .map((each) => `<h4>${each.version}</h4>${toHtml(each.notes)}`);
  return {
    name: item.name,
    slug: makeSlug(item),
    version: newest.version,
    homepage: item.demoLink,
    // Update checkers refuse the metadata of a theme without this address.
    details_url: item.demoLink || feedUrl,
    requires: newest.requires,
    tested: newest.tested,
    requires_php: newest.requiresPhp,
    last_updated: newest.createdAt.toISOString().slice(0, 19).replace('T', ' '),
    sections: { description: toHtml(item.description), changelog: changelog.join('') },
    banners: image === '' ? {} : { low: image, high: image },
    icons: icon === '' ? {} : { default: icon },
    sha256: newest.file.sha256.toString('hex'),
    ...(link !== undefined && { download_url: link }),
  };
}

const ComposerPackage = NamedObject('ComposerPackage', {
  name: Type.String({ description: 'The name of the package.' }),
  version: Type.String({ description: 'A beta has the suffix `-beta`.' }),
  description: Type.String({ description: 'The name of the item.' }),
  time: Type.String({ format: 'date-time', description: 'When the version was added.' }),
  type: Type.Literal('library', { description: 'The type of the package.' }),
  dist: Type.Object(
    {
      type: Type.Literal('zip', { description: 'The format of the archive.' }),
      url: Type.String({ description: 'Needs the same basic authentication.' }),
      shasum: Type.String({ description: 'The SHA-1 of the file; "" for files that have none.' }),
    },
    { description: 'The archive.' },
  ),
  extra: Type.Object(
    {
      sha256: Type.String({ description: 'The SHA-256 of the file, in hexadecimal.' }),
      size: Type.Integer({ description: 'The size of the file in bytes.' }),
    },
    { description: 'Further data of the archive.' },
  ),
});

export const ComposerAnswer = Type.Object({
  packages: Type.Record(Type.String(), Type.Record(Type.String(), ComposerPackage), {
    description: 'The packages by name and version.',
  }),
});

/**
 * The form of a package name in Composer. A separator between two words is required. If it were optional, a
 * long name could be divided into words in very many ways, and the test would take too long.
 */
const packageForm = /^[a-z0-9]+(?:[_.-][a-z0-9]+)*\/[a-z0-9]+(?:(?:[_.]|-{1,2})[a-z0-9]+)*$/;

/**
 * Returns the external id of the item if it has the form of a package name. Otherwise, makes a name from the
 * ids of the workspace and the item.
 */
const makePackageName = ({ externalId = '', workspaceId, id }: Item) =>
  packageForm.test(externalId) ? externalId : `workspace-${workspaceId}/item-${id}`;

/**
 * Presents the releases that the caller may download, for Composer. The links never expire, because lock
 * files of Composer contain them.
 */
export function presentComposer(item: Item, releases: readonly Release[], repositoryUrl: string) {
  const name = makePackageName(item);
  const versions = releases.map((each) => {
    const version = each.channel === 'beta' ? `${each.version}-beta` : each.version;
    return {
      name,
      version,
      description: item.name,
      time: presentTime(each.createdAt),
      type: 'library' as const,
      dist: {
        type: 'zip' as const,
        url: `${repositoryUrl}/dist/${item.id}/${each.version}.zip`,
        shasum: each.file.sha1?.toString('hex') ?? '',
      },
      extra: { sha256: each.file.sha256.toString('hex'), size: Number(each.file.bytes) },
    };
  });
  return { packages: { [name]: Object.fromEntries(versions.map((each) => [each.version, each])) } };
}
