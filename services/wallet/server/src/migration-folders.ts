// The folders of the wallet's migrations: first the libraries', then the wallet's.
import { fileURLToPath } from 'node:url';
import { kitMigrations } from '@counterfoil/kit/postgres/migrate';

export const migrationFolders = [kitMigrations, fileURLToPath(new URL('../migrations', import.meta.url))];
