// The load generator, a separate process. It receives requests and rates, and returns the results.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, createAnswerReader } from './answer-reader.ts';
import { type PlannedRequest, planRequests, type RequestPlan } from './requests.ts';
import { createSchedule, type Schedule, type Stage } from './schedule.ts';
import { createTally, type RunTally, type Tally } from './tally.ts';

export interface GeneratorRun {
  readonly url: string;
  readonly seconds: number;
  readonly connections: number;
  /**
   * The rates of the run. If `stages` is undefined, each connection sends its next request as soon as the
   * previous request is answered.
   */
  readonly stages?: readonly Stage[];
  readonly plan: RequestPlan;
}

export interface GeneratorResult extends RunTally {
  readonly cpuMs: number;
}

interface Line {
  readonly socket: Socket;
  /** Replaces the connection, because the service closes it. */
  readonly reopen: () => void;
  request:
    | {
        readonly n: number;
        readonly dueMs: number;
        readonly sentMs: number;
        readonly group: PlannedRequest['group'];
      }
    | undefined;
}

/** A request that is refused with one of these codes was not applied. */
const refusals = new Set(['overloaded', 'unavailable']);

/** How long the generator waits for the last answers after the end of the run. */
const patienceMs = 5000;
const openAtOnce = 100;
/** The time within which the service must accept all connections. A busy service accepts them one by one. */
const acceptMs = 1000;

async function run(options: GeneratorRun): Promise<GeneratorResult> {
  const { hostname, port, host } = new URL(options.url);
  const tally = createTally();
  const cpuBefore = process.cpuUsage();
  const driver: Driver = {
    schedule: options.stages && createSchedule(options.stages),
    planned: planRequests(host, options.plan),
    tally,
    lines: [],
    free: [],
    startedAt: 0,
    next: 0,
    unsent: 0,
    inFlight: 0,
    isOver: true,
  };
  for (let opened = 0; opened < options.connections; opened += openAtOnce) {
    const count = Math.min(openAtOnce, options.connections - opened);
    await Promise.all(Array.from({ length: count }, () => open(driver, hostname, Number(port))));
  }
  await sleep(acceptMs);
  await drive(driver, options.seconds);
  const cpu = process.cpuUsage(cpuBefore);
  return {
    ...tally.finish(options.seconds, driver.unsent),
    cpuMs: (cpu.user + cpu.system) / 1000,
  };
}

interface Driver {
  readonly schedule: Schedule | undefined;
  readonly planned: (n: number) => PlannedRequest;
  readonly tally: Tally;
  readonly lines: Line[];
  /**
   * Idle connections. The connection that has been idle for longest is used next, because the service closes
   * idle connections.
   */
  readonly free: Line[];
  startedAt: number;
  next: number;
  unsent: number;
  inFlight: number;
  isOver: boolean;
}

const elapsed = ({ startedAt }: Driver) => performance.now() - startedAt;

function send(driver: Driver, line: Line, dueMs: number): void {
  const n = driver.next++;
  const { text, group } = driver.planned(n);
  line.request = { n, dueMs, sentMs: elapsed(driver), group };
  driver.inFlight++;
  line.socket.write(text, 'latin1');
}

/**
 * Sends the request that has been due for longest, or returns false if none is due. Its latency counts from
 * the time when it was due.
 */
function sendDue(driver: Driver, line: Line): boolean {
  const { schedule, next } = driver;
  if (!schedule || next >= schedule.dueBy(elapsed(driver))) return false;
  send(driver, line, schedule.timeOf(next));
  return true;
}

function settle(driver: Driver, line: Line, answer: Answer | undefined): void {
  const { tally, schedule, free } = driver;
  const { request } = line;
  if (!request) return;
  line.request = undefined;
  driver.inFlight--;
  const now = elapsed(driver);
  if (answer?.status === 200) tally.succeed(request.group, now, now - request.dueMs);
  else if (refusals.has(answer?.code ?? '')) {
    tally.refuse(request.n, now - request.dueMs, now - request.sentMs);
  } else tally.fail(answer?.code ?? (answer ? String(answer.status) : 'connection lost'));
  if (!answer || driver.isOver) return;
  if (answer.isLast) {
    line.reopen();
    return;
  }
  if (!schedule) send(driver, line, now);
  else if (!sendDue(driver, line)) free.push(line);
}

function open(driver: Driver, host: string, port: number): Promise<void> {
  const { lines, free } = driver;
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    const reopen = () => {
      socket.end();
      lines.splice(lines.indexOf(line), 1);
      // A refused connection counts as lost, like a connection that breaks later.
      open(driver, host, port).catch(() => driver.tally.fail('connection lost'));
    };
    const line: Line = { socket, reopen, request: undefined };
    const reader = createAnswerReader();
    socket.once('connect', () => {
      lines.push(line);
      if (driver.isOver || driver.schedule) free.push(line);
      else send(driver, line, elapsed(driver));
      resolve();
    });
    socket.on('data', (piece: Buffer) => {
      const answer = reader.read(piece);
      if (answer) settle(driver, line, answer);
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const index = free.indexOf(line);
      if (index >= 0) free.splice(index, 1);
      settle(driver, line, undefined);
    });
  });
}

function sendAllDue(driver: Driver, schedule: Schedule): void {
  // Drops requests that have found no free connection for a second, so that the backlog cannot grow without
  // bound.
  const oldest = schedule.dueBy(elapsed(driver) - 1000);
  if (driver.next < oldest) {
    driver.unsent += oldest - driver.next;
    driver.next = oldest;
  }
  while (driver.free.length > 0 && driver.next < schedule.dueBy(elapsed(driver))) {
    sendDue(driver, driver.free.shift() as Line);
  }
}

async function drive(driver: Driver, seconds: number): Promise<void> {
  const { schedule, lines, free, tally } = driver;
  driver.startedAt = performance.now();
  driver.isOver = false;
  if (!schedule) for (const line of free.splice(0)) send(driver, line, 0);
  while (elapsed(driver) < seconds * 1000) {
    if (schedule) sendAllDue(driver, schedule);
    await sleep(1);
  }
  driver.isOver = true;
  const until = performance.now() + patienceMs;
  while (driver.inFlight > 0 && performance.now() < until) await sleep(5);
  for (const line of lines) {
    if (line.request) tally.fail('no answer');
    line.request = undefined;
    line.socket.destroy();
  }
}

process.on('message', (options: GeneratorRun) => {
  run(options).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.once('disconnect', () => process.exit(0));
process.send?.({ ready: true });
