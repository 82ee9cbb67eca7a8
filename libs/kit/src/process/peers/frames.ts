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
  let rest: Buffer = Buffer.alloc(0);
  const take = (): { value: unknown } | undefined => {
    if (rest.length < headerBytes) return undefined;
    const end = headerBytes + rest.readUInt32LE();
    if (end > maxBytes) throw new Error(`a frame of ${end} bytes`);
    if (rest.length < end) return undefined;
    const body = rest.subarray(headerBytes, end);
    rest = rest.subarray(end);
    return { value: deserialize(body) };
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
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let frame = takeOrDestroy(); frame; frame = takeOrDestroy()) onFrame(frame.value);
  });
}
