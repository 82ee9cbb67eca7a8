// Frames on a socket between two processes of one machine. A frame is a length and a serialized value.
import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

/** A peer never sends a larger frame, so a larger length means that the stream is broken. */
const maxBytes = 64 * 1024 * 1024;
const headerBytes = 4;

/** A socket that buffers more bytes has no room for another frame. */
const maxBufferedBytes = 256 * 1024;

/** Returns whether the socket has room for another frame. If not, it emits `drain` later. */
export function writeFrame(socket: Socket, value: unknown): boolean {
  const body = serialize(value);
  const header = Buffer.allocUnsafe(headerBytes);
  header.writeUInt32LE(body.length);
  socket.cork();
  socket.write(header);
  socket.write(body);
  socket.uncork();
  return socket.writableLength < maxBufferedBytes;
}

/** Calls `onFrame` with the value of every frame. A broken stream destroys the socket. */
export function readFrames(socket: Socket, onFrame: (value: unknown) => void): void {
  let chunks: Buffer[] = [];
  let received = 0;
  /** The length of the next frame, or of its header. The chunks are joined when they have this length. */
  let needed = headerBytes;
  const take = (): { value: unknown } | undefined => {
    if (received < needed) return undefined;
    const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    const end = headerBytes + bytes.readUInt32LE();
    if (end > maxBytes) throw new Error(`a frame of ${end} bytes`);
    const isWhole = received >= end;
    const rest = isWhole ? bytes.subarray(end) : bytes;
    chunks = rest.length > 0 ? [rest] : [];
    received = rest.length;
    needed = isWhole ? headerBytes : end;
    return isWhole ? { value: deserialize(bytes.subarray(headerBytes, end)) } : undefined;
  };
  const takeOrDestroy = () => {
    try {
      return take();
    } catch (error) {
      socket.destroy(error as Error);
      return undefined;
    }
  };
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    received += chunk.length;
    for (let frame = takeOrDestroy(); frame; frame = takeOrDestroy()) onFrame(frame.value);
  });
}
