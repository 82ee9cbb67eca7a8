// The folders with migrations: first those of the libraries, then those of the wallet.
import { fileURLToPath } from 'node:url';
import { kitMigrations } from '@counterfoil/kit/postgres/migrate';

export const migrationFolders = [kitMigrations, fileURLToPath(new URL('../migrations', import.meta.url))];
