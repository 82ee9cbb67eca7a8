// Where the licensing database's migrations are: the kit's own first, then the service's.
import { fileURLToPath } from 'node:url';
import { kitMigrations } from '@counterfoil/kit/postgres/migrate';

export const migrationFolders = [
  kitMigrations,
  fileURLToPath(new URL('../migrations', import.meta.url)),
];
