// Sends load to a server from another process, with wrk if it is installed, else with autocannon.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PlainError } from '@counterfoil/kit/process/plain-error';

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface LoadOptions {
  readonly url: string;
  /** The requests to send, in this order and repeatedly. */
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  readonly seconds: number;
  /** A Lua script for wrk that defines `request()`. It is used instead of `requests`. */
  readonly script?: string;
}

export interface LoadResult {
  readonly answers: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Report {
  readonly requests: number;
  readonly failures: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const hasWrk = () => spawnSync('wrk', ['--version']).error === undefined;

export const describeLoader = (): string => (hasWrk() ? 'wrk' : 'autocannon');

/** Throws if wrk is not installed. A suite calls this function before its long preparations. */
export function requireWrk(): void {
  if (hasWrk()) return;
  throw new PlainError(
    'This measurement needs wrk, because only wrk can create a new id for every request. wrk is not ' +
      'installed. On Debian and Ubuntu: apt install wrk.',
  );
}

/** Sends the load and returns the figures. Throws if any answer was not a success. */
export async function putLoad(options: LoadOptions): Promise<LoadResult> {
  if (options.script !== undefined) requireWrk();
  const report = hasWrk() ? await runWrk(options) : await runAutocannon(options);
  if (report.failures > 0) throw new Error(`${report.failures} answers were not successful`);
  const { requests: answers, p50Ms, p99Ms } = report;
  return { answers, perSecond: answers / report.seconds, p50Ms, p99Ms };
}

/** Writes the requests as bytes, each preceded by its length. The wrk script sends them unchanged. */
function writeRequests({ url, requests }: LoadOptions): string {
  return requests
    .map(({ method, path, headers, body = '' }) => {
      const targets = { host: new URL(url).host, ...headers };
      const lines = Object.entries(targets).map(([name, value]) => `${name}: ${value}\r\n`);
      const length = method === 'POST' ? `content-length: ${Buffer.byteLength(body)}\r\n` : '';
      return `${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n${body}`;
    })
    .map((text) => `${Buffer.byteLength(text)}\n${text}`)
    .join('');
}

const sendFromFile = (requestsFile: string) => `local ready, at = {}, 0
function init()
  local file = io.open("${requestsFile}", "rb")
  while true do
    local length = file:read("*l")
    if not length then break end
    ready[#ready + 1] = file:read(tonumber(length))
  end
  file:close()
end
function request()
  at = at % #ready + 1
  return ready[at]
end
`;

const report = `
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('{"requests":%d,"failures":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f}',
    summary.requests, e.connect + e.read + e.write + e.status + e.timeout,
    summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
`;

async function runWrk(options: LoadOptions): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-bench-'));
  try {
    const requestsFile = join(folder, 'requests');
    const scriptFile = join(folder, 'requests.lua');
    await writeFile(requestsFile, writeRequests(options));
    await writeFile(scriptFile, (options.script ?? sendFromFile(requestsFile)) + report);
    const limits = [`-d${options.seconds}s`, '--timeout', '10s'];
    const flags = ['-t1', `-c${options.connections}`, ...limits, '-s', scriptFile];
    const output = await collect('wrk', [...flags, options.url]);
    return JSON.parse(output.slice(output.lastIndexOf('{"requests"'))) as Report;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function runAutocannon(options: LoadOptions): Promise<Report> {
  const program = fileURLToPath(new URL('autocannon-load.js', import.meta.url));
  return JSON.parse(await collect(process.execPath, [program], JSON.stringify(options))) as Report;
}

function collect(program: string, args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${program} ended with ${code}`)),
    );
    child.stdin.end(input);
  });
}
