// Asks the process behind a lock's socket whether it lives and holds the lock.
import { connect } from 'node:net';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { errorCode } from '@counterfoil/kit/process/files';

// A process that takes the connection but says nothing (suspended, very busy) is alive as well.
const silenceMs = deadlineMs(3_000);

export type HolderAnswer =
  | { readonly state: 'dead' | 'gave way' }
  | { readonly state: 'held'; readonly pid: number | undefined };

/** With untilDecided, one still starting is waited for; without, it counts as the holder. */
export function askHolder(ask: { path: string; untilDecided: boolean }): Promise<HolderAnswer> {
  return new Promise((resolve) => {
    const socket = connect(ask.path);
    let text = '';
    const answer = (result: HolderAnswer) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    const held = () => {
      const pid = Number.parseInt(text, 10);
      answer({ state: 'held', pid: Number.isNaN(pid) ? undefined : pid });
    };
    const timer = setTimeout(held, silenceMs);
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.includes(ask.untilDecided ? 'held\n' : '\n')) held();
    });
    socket.on('error', (error) => {
      const code = errorCode(error);
      if (code === 'ECONNREFUSED') answer({ state: 'dead' });
      else if (code === 'ENOENT' || code === 'ECONNRESET' || code === 'EPIPE') {
        answer({ state: 'gave way' });
      } else held();
    });
    socket.on('close', () => answer({ state: 'gave way' }));
  });
}
