// Checks, for each port of a service, whether the service, another program or no program answers there.
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

/** Checks a port. In the result, `runs` says whether the expected service answered on the port. */
export async function checkPort(wanted: PortToCheck) {
  const { service, setting, port } = wanted;
  const check = `port ${port}`;
  const base = urlOf(wanted.host, port);
  const answering = await readServiceName(`${base}/healthz`);
  const runs = answering === service;
  const report = (finding: Finding) => ({ service, finding, runs });
  if (answering === 'nothing') {
    if (port < 1024 && process.getuid?.() !== 0) {
      const advice = `Set ${setting} to 1024 or above and put a proxy in front of it.`;
      return report(warning(check, `free, but ${service} may need root for a port below 1024`, advice));
    }
    return report(ok(check, `free; ${service} does not run`));
  }
  if (answering === 'unreachable') {
    return report(warning(check, `this machine cannot reach ${wanted.host}`, 'Check HOST.'));
  }
  if (!runs) {
    const advice = `Stop that program, or set ${setting} to another port.`;
    return report(problem(check, `used by another program than ${service}`, advice));
  }
  // The stand-in provider has no `/readyz`. It is ready when it answers.
  const isReady = service === 'provider' || (await readServiceName(`${base}/readyz`)) === service;
  if (isReady) return report(ok(check, `${service} answers`));
  const advice = 'Check the log of the service; problems with its database are listed below.';
  return report(warning(check, `${service} runs but is not ready`, advice));
}

const unreachableCodes = ['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

/**
 * Requests `url` and returns the service name in the answer, or `nothing`, `unreachable` or `another
 * program`. Node's `fetch` is not used, because it refuses some ports.
 */
function readServiceName(url: string): Promise<string> {
  return new Promise((resolve) => {
    const classify = (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') resolve('nothing');
      else resolve(unreachableCodes.includes(error.code ?? '') ? 'unreachable' : 'another program');
    };
    const signal = AbortSignal.timeout(answerMs);
    const request = get(url, { signal, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (text.length > maxAnswerBytes) answer.destroy();
      });
      answer.on('error', classify);
      answer.on('close', () => resolve(answer.statusCode === 200 ? nameIn(text) : 'another program'));
    });
    request.on('error', classify);
  });
}

function nameIn(text: string): string {
  try {
    const { service } = JSON.parse(text) as { service?: unknown };
    return typeof service === 'string' ? service : 'another program';
  } catch {
    return 'another program';
  }
}
