// A version of an item: its number x.y.z, the comparison of two numbers, and the file for buyers.
import { presentTime } from '@counterfoil/kit/http/answers';
import { Type } from 'typebox';
import type { StoredFile } from '../files/stored-file.ts';
import { NamedObject } from '../wire/input.ts';

export interface VersionFile extends StoredFile {
  readonly name: string;
  readonly uploadedAt: Date;
}

export interface ItemVersion {
  readonly version: string;
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

export const VersionAnswer = NamedObject('ItemVersion', {
  version: Type.String(),
  notes: Type.String(),
  created_at: Type.String(),
  file: Type.Optional(
    Type.Object(
      { name: Type.String(), bytes: Type.Integer(), sha256: Type.String(), uploaded_at: Type.String() },
      { description: 'Absent until a file is uploaded.' },
    ),
  ),
});

export const presentVersion = ({ version, notes, createdAt, file }: ItemVersion) => ({
  version,
  notes,
  created_at: presentTime(createdAt),
  ...(file && {
    file: {
      name: file.name,
      bytes: Number(file.bytes),
      sha256: file.sha256.toString('hex'),
      uploaded_at: presentTime(file.uploadedAt),
    },
  }),
});
