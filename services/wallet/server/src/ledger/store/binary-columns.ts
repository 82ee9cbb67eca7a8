// Columns of a batch as PostgreSQL's arrays in binary: no digit of them is written here or read there.

export interface BinaryColumn<Value> {
  /** Undefined is NULL. */
  push(value: Value | undefined): void;
  readonly value: () => Buffer;
}

type Put<Value> = (view: DataView, at: number, value: Value) => void;

/** Dimensions, whether there are NULLs, the type of elements, how many there are, the first's number. */
const headBytes = 20;
const emptyHeadBytes = 12;
const usualElements = 64;

function createColumn<Value>(typeId: number, width: number, put: Put<Value>): BinaryColumn<Value> {
  const step = 4 + width;
  let bytes = Buffer.allocUnsafe(headBytes + usualElements * step);
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

export const integerColumn = () =>
  createColumn<number>(23, 4, (view, at, value) => view.setInt32(at, value));

const mostBigint = 2n ** 63n - 1n;

/** What does not fit would be cut to another number; it is refused here, as the database would. */
export const bigintColumn = () =>
  createColumn<bigint>(20, 8, (view, at, value) => {
    if (value > mostBigint || value < -mostBigint) throw new RangeError('too large for a column');
    view.setBigInt64(at, value);
  });

const digit = (text: string, place: number): number => {
  const code = text.charCodeAt(place);
  return code < 58 ? code - 48 : code - 87;
};

/** 32 hex digits in lower case, as ids are hashed to. */
export const uuidColumn = () =>
  createColumn<string>(2950, 16, (view, at, value) => {
    for (let i = 0; i < 16; i++) {
      view.setUint8(at + i, digit(value, 2 * i) * 16 + digit(value, 2 * i + 1));
    }
  });

const hashBytes = 32;

/** SHA-256 sums. */
export const hashColumn = () =>
  createColumn<Uint8Array>(17, hashBytes, (view, at, value) => {
    new Uint8Array(view.buffer, view.byteOffset + at, hashBytes).set(value);
  });
