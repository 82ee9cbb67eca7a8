// The folders with the migrations of the licensing database, in order: the folder of `libs/kit`, then the
// folder of the service.
import { fileURLToPath } from 'node:url';
import { kitMigrations } from '@counterfoil/kit/postgres/migrate';

export const migrationFolders = [kitMigrations, fileURLToPath(new URL('../migrations', import.meta.url))];
