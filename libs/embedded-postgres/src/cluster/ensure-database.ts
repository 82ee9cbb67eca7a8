// Creates a database on the embedded server if it is missing.

import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { errorCode } from '@counterfoil/kit/process/files';
import pg from 'pg';

const connectWithinMs = deadlineMs(10_000);

// The codes of duplicate_database, and of unique_violation on pg_database. Both mean that another process
// created the database at the same time.
const createdByAnother = ['42P04', '23505'];

export async function ensureDatabase(options: { url: string; name: string }): Promise<void> {
  const client = new pg.Client({
    connectionString: options.url,
    connectionTimeoutMillis: connectWithinMs,
    ssl: false,
  });
  // Without a listener, a server that ends would cause an unhandled error event, which ends Node.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const found = await client.query('select from pg_database where datname = $1', [options.name]);
    if (found.rowCount === 0) {
      await client.query(`create database ${pg.escapeIdentifier(options.name)}`);
    }
  } catch (error) {
    if (!createdByAnother.includes(errorCode(error) ?? '')) throw error;
  } finally {
    await client.end();
  }
}
