// The wallet's figures as measurements. Both values of a ratio are from one benchmark round.
import { type Measurement, median, ratio } from '../measurement.ts';
import type { Costs } from './counters.ts';
import type { EngineFigures } from './measure-engine.ts';
import type { UpdateFigures } from './measure-updates.ts';
import type { RunResult } from './runs.ts';

const rates = (results: readonly RunResult[]) => results.map((result) => result.perSecond);

export function presentRates(updates: UpdateFigures, engine: EngineFigures): Measurement[] {
  const rate = (id: string, title: string, figures: readonly number[]): Measurement => ({
    id: `wallet.${id}`,
    title,
    value: median(figures),
    unit: '/s',
  });
  const latency = (id: string, title: string, pick: (result: RunResult) => number) => ({
    id: `wallet.update_balance.${id}`,
    title,
    value: median(updates.uniform.map(pick)),
    unit: 'ms',
  });
  return [
    rate('empty', 'Empty Fastify route with the schemas of update_balance', rates(updates.empty)),
    rate('update_balance', 'update_balance, uniform over 10,000 players', rates(updates.uniform)),
    latency('p50', 'Median latency of update_balance', (result) => result.p50Ms),
    latency('p99', 'p99 latency of update_balance', (result) => result.p99Ms),
    rate('replay', 'update_balance, repeats of stored ids', rates(updates.replay)),
    rate('naive', 'Naive: a transaction of 5 statements per request', rates(updates.naive)),
    rate('function', 'One function call per request', rates(updates.perRequest)),
    rate('plain-batch', 'Plain batch (c1) over HTTP', rates(updates.plainBatch)),
    rate('engine', 'Engine without HTTP, 256 callers', engine.engine),
    rate('engine.plain-batch', 'Plain batch (c1) without HTTP, 256 callers', engine.plainBatch),
  ];
}

export function presentRatios(given: {
  updates: UpdateFigures;
  cold: { first: number[]; again: number[] };
  engine: EngineFigures;
}): Measurement[] {
  const { updates, cold, engine } = given;
  const uniform = rates(updates.uniform);
  const of = (
    id: string,
    title: string,
    value: number,
    held: { atLeast: number; aim: number } | undefined = undefined,
  ): Measurement => ({
    id: `wallet.${id}`,
    title,
    value,
    unit: '',
    ...(held && { bar: { atLeast: held.atLeast }, aim: held.aim }),
  });
  const below = (name: keyof UpdateFigures) => ratio(uniform, rates(updates[name]));
  return [
    of('of-empty', 'update_balance ÷ empty Fastify route', below('empty'), {
      atLeast: 0.7,
      aim: 0.8,
    }),
    of('of-naive', 'update_balance ÷ naive', below('naive'), { atLeast: 8, aim: 12 }),
    of('of-function', 'update_balance ÷ one function call per request', below('perRequest')),
    of('of-plain-batch', 'update_balance ÷ plain batch over HTTP', below('plainBatch')),
    of(
      'engine-of-plain-batch',
      'Engine ÷ plain batch, 256 callers',
      ratio(engine.engine, engine.plainBatch),
      { atLeast: 1, aim: 1.5 },
    ),
    of('replay-of-first', 'Rate of repeats ÷ rate of new ids', ratio(rates(updates.replay), uniform), {
      atLeast: 1.2,
      aim: 2,
    }),
    of(
      'cold-replay-of-first',
      'Rate of repeats ÷ rate of new ids, after a restart',
      ratio(cold.again, cold.first),
    ),
  ];
}

export function presentCosts(updates: UpdateFigures): Measurement[] {
  const row = (
    { id, title, unit }: Pick<Measurement, 'id' | 'title' | 'unit'>,
    figures: readonly (number | undefined)[],
    held?: { atMost: number; aim: number },
  ): Measurement[] => {
    const known = figures.filter((figure) => figure !== undefined);
    if (known.length === 0) return [];
    const bar = held && { bar: { atMost: held.atMost }, aim: held.aim };
    return [{ id: `wallet.${id}`, title, value: median(known), unit, ...bar }];
  };
  const costs = (name: keyof Costs) => updates.uniform.map((result) => result.costs?.[name]);
  const cpuOf = (name: keyof UpdateFigures) => updates[name].map((result) => inMicros(result.cpuMs));
  const micros = (id: string, title: string) => ({ id: `cpu.${id}`, title, unit: 'µs' });
  return [
    ...row({ id: 'commits', title: 'Commits per movement', unit: '' }, costs('transactions'), {
      atMost: 0.04,
      aim: 0.02,
    }),
    ...row({ id: 'wal', title: 'WAL per movement, steady', unit: 'B' }, costs('walBytes'), {
      atMost: 700,
      aim: 500,
    }),
    ...row({ id: 'round-trips', title: 'Round trips per movement', unit: '' }, costs('statements')),
    ...row(micros('service', 'Processor time per movement: service'), cpuOf('uniform')),
    ...row(
      micros('postgres', 'Processor time per movement: PostgreSQL'),
      costs('postgresCpuMs').map(inMicros),
    ),
    ...row(
      micros('generator', 'Processor time per movement: the load generator'),
      updates.uniform.map((result) => inMicros(result.generatorCpuMs)),
    ),
    ...row(micros('empty', 'Processor time per request: empty Fastify route'), cpuOf('empty')),
    ...row(micros('plain-batch', 'Processor time per movement: plain batch'), cpuOf('plainBatch')),
  ];
}

const inMicros = (ms: number | undefined) => (ms === undefined ? undefined : ms * 1000);
