// Who is at the services' ports: themselves, nobody, or somebody else.
import { get } from 'node:http';
import { urlOf } from '@counterfoil/kit/process/config';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { type Finding, ok, problem, warning } from './finding.ts';

const answerMs = deadlineMs(1500);
const maxAnswerBytes = 4096;

export interface PortToCheck {
  readonly service: 'licensing' | 'wallet' | 'provider';
  readonly setting: string;
  readonly host: string;
  readonly port: number;
}

export interface PortFinding {
  readonly service: PortToCheck['service'];
  readonly finding: Finding;
  /** Whether the service itself answered. */
  readonly runs: boolean;
}

export async function checkPort(wanted: PortToCheck): Promise<PortFinding> {
  const { service, setting, port } = wanted;
  const check = `port ${port}`;
  const base = urlOf(wanted.host, port);
  const who = await ask(`${base}/healthz`);
  if (who === 'nobody') {
    if (port < 1024 && process.getuid?.() !== 0) {
      const advice = `Set ${setting} to 1024 or above and put a proxy before it.`;
      const says = `free, but below 1024 ${service} may need the rights of root`;
      return { service, finding: warning(check, says, advice), runs: false };
    }
    return { service, finding: ok(check, `free; ${service} does not run`), runs: false };
  }
  if (who === 'unreachable') {
    const says = `this machine does not get to ${wanted.host}`;
    return { service, finding: warning(check, says, 'Look at HOST.'), runs: false };
  }
  if (who !== service) {
    const advice = `Stop that program, or set ${setting} to another port.`;
    const says = `taken by another program than ${service}`;
    return { service, finding: problem(check, says, advice), runs: false };
  }
  // The stand-in has no such question; it is ready when it answers at all.
  const isReady = service === 'provider' || (await ask(`${base}/readyz`)) === service;
  if (isReady) return { service, finding: ok(check, `${service} answers there`), runs: true };
  const advice = 'Look at its log; a database that is away or not migrated is told below.';
  const says = `${service} runs but is not ready`;
  return { service, finding: warning(check, says, advice), runs: true };
}

const unreachableCodes = ['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

/** The name that whoever is there gives to itself. Not by fetch, which knows forbidden ports. */
function ask(url: string): Promise<string> {
  return new Promise((resolve) => {
    const classify = (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') resolve('nobody');
      else resolve(unreachableCodes.includes(error.code ?? '') ? 'unreachable' : 'somebody else');
    };
    const signal = AbortSignal.timeout(answerMs);
    const request = get(url, { signal, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (text.length > maxAnswerBytes) answer.destroy();
      });
      answer.on('error', classify);
      answer.on('close', () => resolve(answer.statusCode === 200 ? nameIn(text) : 'somebody else'));
    });
    request.on('error', classify);
  });
}

function nameIn(text: string): string {
  try {
    const { service } = JSON.parse(text) as { service?: unknown };
    return typeof service === 'string' ? service : 'somebody else';
  } catch {
    return 'somebody else';
  }
}
