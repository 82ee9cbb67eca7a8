// Receives the files of uploads and records them in the database: first the file, then its row.
import type { FailureDetails } from '@counterfoil/kit/http/errors';
import { fail } from '../errors.ts';
import { FileTooLargeError, removeFile } from './stored-file.ts';

export interface FileDeps {
  readonly filesDir: string;
  readonly logger: { warn(details: object, message: string): void };
}

/** Receives an upload. Converts errors of the file system and the connection to errors of the service. */
export async function receiveFile<T>(receive: () => Promise<T>, tooLarge: FailureDetails = {}): Promise<T> {
  try {
    return await receive();
  } catch (error) {
    if (error instanceof FileTooLargeError) throw fail('body_too_large', tooLarge);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw fail('unavailable', { cause: error });
    // The client has disconnected. This is not an internal error, so it is reported as a malformed request.
    // Nobody reads the answer.
    if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE')
      throw fail('malformed_request', { cause: error });
    throw error;
  }
}

/**
 * Records stored files in the database. `record` runs a transaction, and calls `committing` as its last
 * step. After an error, removes the files, unless the transaction may have been committed. In this case the
 * files stay: an unused file does no harm, but a row without its file cannot be served.
 */
export async function recordFiles<T>(
  deps: FileDeps,
  keys: readonly string[],
  record: (committing: () => void) => Promise<T>,
): Promise<T> {
  let mayBeCommitted = false;
  try {
    return await record(() => {
      mayBeCommitted = true;
    });
  } catch (error) {
    if (!mayBeCommitted) await removeFiles(deps, keys);
    else deps.logger.warn({ file_keys: keys }, 'stored files may be unused');
    throw error;
  }
}

/** Removes files. A file that cannot be removed is logged and stays. */
export async function removeFiles({ filesDir, logger }: FileDeps, keys: readonly string[]): Promise<void> {
  for (const key of keys)
    await removeFile(filesDir, key).catch((error: unknown) =>
      logger.warn({ err: error, file_key: key }, 'an unused file could not be removed'),
    );
}

export const refuseEmpty = () => fail('invalid_body', { errors: { body: ['must not be an empty file.'] } });
