// A connection to the socket of another process, which is opened again whenever it breaks.
import { connect, type Socket } from 'node:net';
import { readFrames } from './frames.ts';

export interface ReconnectingSocket {
  /** The open connection; undefined while there is none. */
  find(): Socket | undefined;
  close(): void;
}

const retryMs = 200;

export function openReconnectingSocket(options: {
  readonly path: string;
  readonly onOpen: () => void;
  readonly onFrame: (frame: unknown) => void;
  /** Called when a connection that was full has room again. */
  readonly onDrain: () => void;
  readonly onLost: () => void;
}): ReconnectingSocket {
  let socket: Socket | undefined;
  let isClosed = false;
  const open = () => {
    if (isClosed) return;
    const opened = connect({ path: options.path });
    opened.on('connect', () => {
      socket = opened;
      options.onOpen();
    });
    opened.on('drain', options.onDrain);
    readFrames(opened, options.onFrame);
    // Every error is followed by the event `close`.
    opened.on('error', () => {});
    opened.on('close', () => {
      if (socket === opened) {
        socket = undefined;
        options.onLost();
      }
      setTimeout(open, retryMs).unref();
    });
    opened.unref();
  };
  open();
  return {
    find: () => socket,
    close: () => {
      isClosed = true;
      socket?.destroy();
    },
  };
}
