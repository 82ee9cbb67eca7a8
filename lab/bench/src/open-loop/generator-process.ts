// The load generator, a process of its own: told what to send and how fast, it tells what came of it.
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
  /** Undefined: each connection asks again as soon as it is answered. */
  readonly stages?: readonly Stage[];
  readonly plan: RequestPlan;
}

export interface GeneratorResult extends RunTally {
  readonly cpuMs: number;
}

interface Line {
  readonly socket: Socket;
  under:
    | { readonly n: number; readonly dueMs: number; readonly group: PlannedRequest['group'] }
    | undefined;
}

/** By the contract nothing of these was applied. */
const refusals = new Set(['overloaded', 'unavailable']);

/** How long the last answers are waited for. */
const patienceMs = 5000;
const openAtOnce = 100;
/** A busy service takes new connections one by one; those that it has not taken yet would be in no run. */
const acceptMs = 1000;

async function run(options: GeneratorRun): Promise<GeneratorResult> {
  const { hostname, port, host } = new URL(options.url);
  const planned = planRequests(host, options.plan);
  const tally = createTally();
  const cpuBefore = process.cpuUsage();
  const driver = createDriver({ options, planned, tally });
  for (let opened = 0; opened < options.connections; opened += openAtOnce) {
    const count = Math.min(openAtOnce, options.connections - opened);
    await Promise.all(Array.from({ length: count }, () => driver.open(hostname, Number(port))));
  }
  await sleep(acceptMs);
  await driver.drive();
  const cpu = process.cpuUsage(cpuBefore);
  return {
    ...tally.finish(options.seconds, driver.unsent()),
    cpuMs: (cpu.user + cpu.system) / 1000,
  };
}

function createDriver(given: {
  options: GeneratorRun;
  planned: (n: number) => PlannedRequest;
  tally: Tally;
}) {
  const { options, planned, tally } = given;
  const { stages, seconds } = options;
  const schedule: Schedule | undefined = stages === undefined ? undefined : createSchedule(stages);
  const lines: Line[] = [];
  /** Taken in turn: a connection that is never used is closed by the service. */
  const free: Line[] = [];
  let startedAt = 0;
  let next = 0;
  let unsent = 0;
  let underWay = 0;
  let isOver = true;
  const elapsed = () => performance.now() - startedAt;

  const send = (line: Line, dueMs: number) => {
    const n = next++;
    const { text, group } = planned(n);
    line.under = { n, dueMs, group };
    underWay++;
    line.socket.write(text, 'latin1');
  };

  const settle = (line: Line, answer: Answer | undefined) => {
    const { under } = line;
    if (!under) return;
    line.under = undefined;
    underWay--;
    const now = elapsed();
    if (answer?.status === 200) tally.succeed(under.group, now, now - under.dueMs);
    else if (refusals.has(answer?.code ?? '')) tally.refuse(under.n, now - under.dueMs);
    else tally.fail(answer?.code ?? (answer ? String(answer.status) : 'connection lost'));
    if (!answer || isOver) return;
    if (!schedule) send(line, now);
    else if (!sendDue(line)) free.push(line);
  };

  /** What was due longest ago goes first; its latency counts from when it was due. */
  const sendDue = (line: Line): boolean => {
    if (!schedule || next >= schedule.dueBy(elapsed())) return false;
    send(line, schedule.timeOf(next));
    return true;
  };

  const open = (host: string, port: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host, port, noDelay: true });
      const line: Line = { socket, under: undefined };
      const reader = createAnswerReader();
      socket.once('connect', () => {
        lines.push(line);
        free.push(line);
        resolve();
      });
      socket.on('data', (piece: Buffer) => {
        const answer = reader.read(piece);
        if (answer) settle(line, answer);
      });
      socket.on('error', reject);
      socket.on('close', () => {
        const place = free.indexOf(line);
        if (place >= 0) free.splice(place, 1);
        settle(line, undefined);
      });
    });

  const sendAllDue = () => {
    // A second's worth that no connection was free for is given up, or the backlog had no bound.
    const oldest = schedule ? schedule.dueBy(elapsed() - 1000) : 0;
    if (next < oldest) {
      unsent += oldest - next;
      next = oldest;
    }
    while (free.length > 0 && next < (schedule?.dueBy(elapsed()) ?? 0)) {
      sendDue(free.shift() as Line);
    }
  };

  const drive = async (): Promise<void> => {
    startedAt = performance.now();
    isOver = false;
    if (!schedule) for (const line of free.splice(0)) send(line, 0);
    while (elapsed() < seconds * 1000) {
      if (schedule) sendAllDue();
      await sleep(1);
    }
    isOver = true;
    const until = performance.now() + patienceMs;
    while (underWay > 0 && performance.now() < until) {
      await sleep(5);
    }
    for (const line of lines) if (line.under) tally.fail('no answer');
    for (const line of lines) {
      line.under = undefined;
      line.socket.destroy();
    }
  };

  return { open, drive, unsent: () => unsent };
}

process.on('message', (options: GeneratorRun) => {
  run(options).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.once('disconnect', () => process.exit(0));
process.send?.({ ready: true });
