// COPY … FROM STDIN over the PostgreSQL driver, which has the messages for it but no call.
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type pg from 'pg';

/** What the driver's connection offers to whoever brings a query of their own. */
interface Connection {
  readonly stream: Writable;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** Rows in PostgreSQL's text format, any number to a piece. Resolves when the server has them all. */
export function copyIn(
  client: pg.Client,
  statement: string,
  pieces: Iterable<string>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined;
    const send = async (connection: Connection) => {
      for (const piece of pieces) {
        if (failure) return;
        connection.sendCopyFromChunk(Buffer.from(piece));
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
      }
      connection.endCopyFrom();
    };
    const query = {
      submit: (connection: Connection) => connection.query(statement),
      handleCopyInResponse: (connection: Connection) => {
        send(connection).catch((error: unknown) => connection.sendCopyFail(String(error)));
      },
      handleCommandComplete: () => {},
      handleError: (error: Error) => {
        failure = error;
        reject(error);
      },
      handleReadyForQuery: () => {
        if (!failure) resolve();
      },
    };
    client.query(query as unknown as pg.Submittable);
  });
}
