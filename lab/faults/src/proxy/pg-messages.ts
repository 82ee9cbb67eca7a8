// Splits the byte streams of a PostgreSQL connection into protocol messages.

export interface PgMessage {
  /** The type letter; empty for the first message of a client. */
  readonly type: string;
  /** The whole message, including type and length. */
  readonly bytes: Buffer;
}

const lengthBytes = 4;

/**
 * Returns a function that takes the next bytes and returns the complete messages. A client's first message
 * has no type letter. TLS is not supported.
 */
export function createMessageReader(side: 'client' | 'server'): (chunk: Buffer) => PgMessage[] {
  let rest: Buffer = Buffer.alloc(0);
  let isOpening = side === 'client';
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const messages: PgMessage[] = [];
    for (;;) {
      const lead = isOpening ? 0 : 1;
      if (rest.length < lead + lengthBytes) return messages;
      const size = lead + rest.readUInt32BE(lead);
      if (rest.length < size) return messages;
      const type = isOpening ? '' : String.fromCharCode(rest[0] as number);
      messages.push({ type, bytes: rest.subarray(0, size) });
      rest = rest.subarray(size);
      isOpening = false;
    }
  };
}

const textAt = (bytes: Buffer, from: number): string => bytes.toString('utf8', from, bytes.indexOf(0, from));

/** The name of the prepared statement in a Bind message; undefined for other messages. */
export function statementOf({ type, bytes }: PgMessage): string | undefined {
  if (type !== 'B') return undefined;
  const portalEnd = bytes.indexOf(0, 1 + lengthBytes);
  return textAt(bytes, portalEnd + 1);
}

/** The text of a Query message; undefined for other messages. */
export const queryOf = ({ type, bytes }: PgMessage): string | undefined =>
  type === 'Q' ? textAt(bytes, 1 + lengthBytes) : undefined;
