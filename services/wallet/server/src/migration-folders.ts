// The folders of the wallet's migrations: those of the libraries first, then its own.
import { fileURLToPath } from 'node:url';
import { kitMigrations } from '@counterfoil/kit/postgres/migrate';

export const migrationFolders = [
  kitMigrations,
  fileURLToPath(new URL('../migrations', import.meta.url)),
];
