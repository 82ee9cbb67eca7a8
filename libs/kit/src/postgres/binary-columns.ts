// Encodes the columns of a batch as binary PostgreSQL arrays, so that neither this process nor PostgreSQL has
// to format or parse text.

export interface BinaryColumn<Value> {
  /** Appends a value; undefined becomes NULL. */
  push(value: Value | undefined): void;
  readonly value: () => Buffer;
}

type Put<Value> = (view: DataView, at: number, value: Value) => void;

/** The header of an array: number of dimensions, NULL flag, element type, element count and lower bound. */
const headBytes = 20;
const emptyHeadBytes = 12;
const defaultElements = 64;

function createColumn<Value>(typeId: number, width: number, put: Put<Value>): BinaryColumn<Value> {
  const step = 4 + width;
  let bytes = Buffer.allocUnsafe(headBytes + defaultElements * step);
  let view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = headBytes;
  let count = 0;
  let nulls = 0;
  const grow = () => {
    const more = Buffer.allocUnsafe(bytes.length * 2);
    bytes.copy(more, 0, 0, at);
    bytes = more;
    view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  };
  return {
    push: (value) => {
      if (at + step > bytes.length) grow();
      count++;
      if (value === undefined) {
        nulls++;
        view.setInt32(at, -1);
        at += 4;
        return;
      }
      view.setInt32(at, width);
      put(view, at + 4, value);
      at += step;
    },
    value: () => {
      view.setInt32(0, count === 0 ? 0 : 1);
      view.setInt32(4, nulls === 0 ? 0 : 1);
      view.setInt32(8, typeId);
      if (count === 0) return bytes.subarray(0, emptyHeadBytes);
      view.setInt32(12, count);
      view.setInt32(16, 1);
      return bytes.subarray(0, at);
    },
  };
}

export const smallintColumn = () =>
  createColumn<number>(21, 2, (view, at, value) => view.setInt16(at, value));

export const integerColumn = () => createColumn<number>(23, 4, (view, at, value) => view.setInt32(at, value));

const maxBigint = 2n ** 63n - 1n;

/**
 * A column of 64-bit integers. Like the database, it rejects numbers that do not fit; `setBigInt64` would
 * truncate them.
 */
export const bigintColumn = () =>
  createColumn<bigint>(20, 8, (view, at, value) => {
    if (value > maxBigint || value < -maxBigint) throw new RangeError('too large for a column');
    view.setBigInt64(at, value);
  });

const digit = (text: string, index: number): number => {
  const code = text.charCodeAt(index);
  return code < 58 ? code - 48 : code - 87;
};

/** A column of hashes with 32 lower-case hex digits each. */
export const uuidColumn = () =>
  createColumn<string>(2950, 16, (view, at, value) => {
    for (let i = 0; i < 16; i++) {
      view.setUint8(at + i, digit(value, 2 * i) * 16 + digit(value, 2 * i + 1));
    }
  });

const hashBytes = 32;

/** A column of SHA-256 hashes. */
export const hashColumn = () =>
  createColumn<Uint8Array>(17, hashBytes, (view, at, value) => {
    new Uint8Array(view.buffer, view.byteOffset + at, hashBytes).set(value);
  });

/** Milliseconds from the Unix epoch to 2000-01-01, from which PostgreSQL counts. */
const postgresEpochMs = 946_684_800_000;

/** A column of times with time zone, in whole milliseconds. */
export const timeColumn = () =>
  createColumn<Date>(1184, 8, (view, at, value) => {
    view.setBigInt64(at, BigInt(value.getTime() - postgresEpochMs) * 1000n);
  });

/** A column of texts. A lone surrogate is written as U+FFFD. */
export function binaryTextColumn(): BinaryColumn<string> {
  let bytes = Buffer.allocUnsafe(64 * defaultElements);
  let at = headBytes;
  let count = 0;
  let nulls = 0;
  const reserve = (more: number) => {
    if (at + more <= bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, at + more));
    bytes.copy(larger, 0, 0, at);
    bytes = larger;
  };
  return {
    push: (value) => {
      count++;
      // In UTF-8, a code unit takes at most three bytes.
      reserve(4 + 3 * (value?.length ?? 0));
      const length = value === undefined ? -1 : bytes.write(value, at + 4);
      bytes.writeInt32BE(length, at);
      at += 4 + Math.max(0, length);
      if (value === undefined) nulls++;
    },
    value: () => {
      bytes.writeInt32BE(count === 0 ? 0 : 1, 0);
      bytes.writeInt32BE(nulls === 0 ? 0 : 1, 4);
      bytes.writeInt32BE(25, 8);
      if (count === 0) return bytes.subarray(0, emptyHeadBytes);
      bytes.writeInt32BE(count, 12);
      bytes.writeInt32BE(1, 16);
      return bytes.subarray(0, at);
    },
  };
}
