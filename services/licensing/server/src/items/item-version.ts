// A version of an item: its number x.y.z, the comparison of two numbers, and the file for buyers.
import { presentTime } from '@counterfoil/kit/http/answers';
import { Type } from 'typebox';
import type { StoredFile } from '../files/stored-file.ts';
import { NamedObject, Prose } from '../wire/input.ts';

export interface VersionFile extends StoredFile {
  readonly name: string;
  readonly uploadedAt: Date;
}

export const channels = ['stable', 'beta'] as const;
export type Channel = (typeof channels)[number];

/**
 * The versions of WordPress and PHP that fit a version of an item. A text is empty if the version is not
 * known.
 */
export interface Requirements {
  /** The oldest version of WordPress that works. */
  readonly requires: string;
  /** The newest version of WordPress with which the seller has tested. */
  readonly tested: string;
  readonly requiresPhp: string;
}

export interface ItemVersion extends Requirements {
  readonly version: string;
  readonly channel: Channel;
  readonly notes: string;
  readonly createdAt: Date;
  readonly file: VersionFile | undefined;
}

const versionPattern = '^(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})$';
const versionForm = new RegExp(versionPattern);

export const Version = Type.String({
  pattern: versionPattern,
  description: 'Dotted x.y.z.',
  examples: ['1.4.0'],
});

export const isVersion = (text: string): boolean => versionForm.test(text);

export function isNewer(version: string, than: string): boolean {
  const [a, b] = [version, than].map((each) => each.split('.').map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (a?.[i] ?? 0) - (b?.[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** A version of another program, such as WordPress 6.5; "" if it is not known. */
const OtherVersion = (description: string) =>
  Type.String({ pattern: '^([0-9]{1,4}([.][0-9]{1,4}){0,3})?$', description, examples: ['6.5'] });

const requirements = {
  requires: OtherVersion('The oldest version of WordPress; "" if not known.'),
  tested: OtherVersion('The newest tested version of WordPress; "" if not known.'),
  requires_php: OtherVersion('The oldest version of PHP; "" if not known.'),
};

const ChannelName = Type.Enum([...channels], {
  description:
    'WordPress is offered a `beta` only if it asks for the channel `beta`. The plain feed and the Composer ' +
    'repository list all versions.',
});

export const NewVersionInput = Type.Object({
  version: Version,
  notes: Type.Optional(Prose(10_000)),
  channel: Type.Optional(ChannelName),
  ...Type.Partial(Type.Object(requirements)).properties,
});

export const VersionAnswer = NamedObject('ItemVersion', {
  version: Type.String(),
  channel: ChannelName,
  notes: Type.String(),
  ...requirements,
  created_at: Type.String(),
  buyers: Type.Optional(
    Type.Integer({ description: 'The active purchases whose last completed download is this version.' }),
  ),
  file: Type.Optional(
    Type.Object(
      { name: Type.String(), bytes: Type.Integer(), sha256: Type.String(), uploaded_at: Type.String() },
      { description: 'Absent until a file is uploaded.' },
    ),
  ),
});

export const presentVersion = ({ file, ...version }: ItemVersion) => ({
  version: version.version,
  channel: version.channel,
  notes: version.notes,
  requires: version.requires,
  tested: version.tested,
  requires_php: version.requiresPhp,
  created_at: presentTime(version.createdAt),
  ...(file && {
    file: {
      name: file.name,
      bytes: Number(file.bytes),
      sha256: file.sha256.toString('hex'),
      uploaded_at: presentTime(file.uploadedAt),
    },
  }),
});
