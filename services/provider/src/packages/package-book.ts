// The registered packages, kept in a private file so that a new start still knows them.
import { join } from 'node:path';
import { fail } from '../errors.ts';
import { openKeptJson } from '../kept-json.ts';
import type { Registration } from './registration.ts';

const maxPackages = 10_000;

export interface PackageBook {
  find(uid: string): Registration | undefined;
  register(registration: Registration): Promise<void>;
}

export async function openPackageBook(dataDir: string): Promise<PackageBook> {
  const kept = await openKeptJson<Registration[]>(join(dataDir, 'packages.json'), []);
  const places = new Map(kept.value.map(({ uid }, place) => [uid, place]));
  return {
    find: (uid) => {
      const place = places.get(uid);
      return place === undefined ? undefined : kept.value[place];
    },
    register: async (registration) => {
      const place = places.get(registration.uid) ?? kept.value.length;
      if (place >= maxPackages) throw fail('overloaded');
      kept.value[place] = registration;
      places.set(registration.uid, place);
      await kept.save();
    },
  };
}
