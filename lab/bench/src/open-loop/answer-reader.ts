// Reads HTTP answers from a connection with one request in flight. Returns an answer when its body is
// complete.

export interface AnswerReader {
  /** Takes the next chunk. Returns the answer if the chunk completes it, else undefined. */
  read(piece: Buffer): Answer | undefined;
}

export interface Answer {
  readonly status: number;
  /** The error code; undefined for a success. */
  readonly code?: string;
  /** Whether the service closes the connection after this answer. */
  readonly isLast?: boolean;
}

const success: Answer = { status: 200 };
const lastSuccess: Answer = { status: 200, isLast: true };

const headEnd = Buffer.from('\r\n\r\n');
const closes = /\r\nconnection: *close\r\n/i;
const lengthName = /\r\ncontent-length: *(\d+)/i;

/** Requires a Content-Length, which all answers of the services have. */
export function createAnswerReader(): AnswerReader {
  let rest: Buffer | undefined;
  return {
    read: (piece) => {
      const bytes = rest ? Buffer.concat([rest, piece]) : piece;
      const end = bytes.indexOf(headEnd);
      if (end < 0) {
        rest = bytes;
        return undefined;
      }
      const head = bytes.toString('latin1', 0, end + 2);
      const length = lengthName.exec(head)?.[1];
      if (length === undefined) throw new Error(`an answer without a length: ${head}`);
      const total = end + 4 + Number(length);
      if (bytes.length < total) {
        rest = bytes;
        return undefined;
      }
      if (bytes.length > total) throw new Error('bytes arrived after the answer');
      rest = undefined;
      const status = Number(head.slice(9, 12));
      const isLast = closes.test(head);
      if (status === 200) return isLast ? lastSuccess : success;
      const [, code] = /"code":"(\w+)"/.exec(bytes.toString('latin1', end)) ?? [];
      return { status, ...(code !== undefined && { code }), ...(isLast && { isLast }) };
    },
  };
}
