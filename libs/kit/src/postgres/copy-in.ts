// Sends rows with COPY … FROM STDIN. The PostgreSQL driver has no function for COPY.
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type pg from 'pg';

/** The part of the driver's connection that a custom query uses. The driver does not publish these types. */
interface Connection {
  readonly stream: Writable;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** Sends rows in any number of pieces. Resolves when the server has all rows. */
export function copyIn(
  client: pg.ClientBase,
  statement: string,
  pieces: Iterable<Buffer | string>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined;
    const send = async (connection: Connection) => {
      for (const piece of pieces) {
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
        if (failure) return;
        connection.sendCopyFromChunk(typeof piece === 'string' ? Buffer.from(piece) : piece);
      }
      connection.endCopyFrom();
    };
    const query = {
      /** The driver replaces this function with one that stops the timer of the query's time limit. */
      callback: () => {},
      submit: (connection: Connection) => connection.query(statement),
      handleCopyInResponse: (connection: Connection) => {
        send(connection).catch((error: unknown) => connection.sendCopyFail(String(error)));
      },
      handleCommandComplete: () => {},
      handleError: (error: Error) => {
        failure = error;
        query.callback();
        reject(error);
      },
      handleReadyForQuery: () => {
        query.callback();
        if (!failure) resolve();
      },
    };
    client.query(query as unknown as pg.Submittable);
  });
}
