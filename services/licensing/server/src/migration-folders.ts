// The folders of the licensing database's migrations, in order: the kit's, then the service's.
import { fileURLToPath } from 'node:url';
import { kitMigrations } from '@counterfoil/kit/postgres/migrate';

export const migrationFolders = [kitMigrations, fileURLToPath(new URL('../migrations', import.meta.url))];
