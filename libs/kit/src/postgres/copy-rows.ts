// Encodes rows for COPY … FROM STDIN in PostgreSQL's binary format.

export interface CopyRows {
  /** Begins a row. The values of all its columns follow in the order of the statement. */
  begin(columns: number): void;
  putSmallint(value: number): void;
  putInteger(value: number): void;
  /** A time with time zone, in whole milliseconds. */
  putTime(value: Date): void;
  /** A lone surrogate is written as U+FFFD. */
  putText(value: string): void;
  putTexts(values: readonly string[]): void;
  /** The bytes to send. No row may be added afterwards. */
  finish(): Buffer;
}

/** The signature of the format, followed by 32 flags and the length of an extension, which are all zero. */
const head = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const endOfRows = -1;
const textTypeId = 25;
/** Milliseconds from the Unix epoch to 2000-01-01, from which PostgreSQL counts. */
const postgresEpochMs = 946_684_800_000;

export function createCopyRows(): CopyRows {
  let bytes = Buffer.allocUnsafe(64 * 1024);
  let at = head.copy(bytes);

  const reserve = (more: number) => {
    if (at + more <= bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, at + more));
    bytes.copy(larger, 0, 0, at);
    bytes = larger;
  };
  const put32 = (value: number) => {
    at = bytes.writeInt32BE(value, at);
  };
  const putText = (value: string) => {
    // In UTF-8, a code unit takes at most three bytes.
    reserve(4 + 3 * value.length);
    const length = bytes.write(value, at + 4);
    put32(length);
    at += length;
  };

  return {
    begin: (columns) => {
      reserve(2);
      at = bytes.writeInt16BE(columns, at);
    },
    putSmallint: (value) => {
      reserve(6);
      put32(2);
      at = bytes.writeInt16BE(value, at);
    },
    putInteger: (value) => {
      reserve(8);
      put32(4);
      put32(value);
    },
    putTime: (value) => {
      reserve(12);
      put32(8);
      at = bytes.writeBigInt64BE(BigInt(value.getTime() - postgresEpochMs) * 1000n, at);
    },
    putText,
    putTexts: (values) => {
      reserve(24);
      const start = at;
      at += 4;
      put32(values.length === 0 ? 0 : 1);
      put32(0);
      put32(textTypeId);
      if (values.length > 0) {
        put32(values.length);
        put32(1);
      }
      for (const value of values) putText(value);
      bytes.writeInt32BE(at - start - 4, start);
    },
    finish: () => {
      reserve(2);
      at = bytes.writeInt16BE(endOfRows, at);
      return bytes.subarray(0, at);
    },
  };
}
