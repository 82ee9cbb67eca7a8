// Presents the rates and CPU times of the busiest operations, and their ratios to the echo.
import { createFigure, type Measurement, median, ratio } from '../measurement.ts';
import type { HotName } from './contenders.ts';
import type { HotResult } from './measure-contenders.ts';

type Figures = Readonly<Record<HotName, readonly HotResult[]>>;
type Pick = (result: HotResult) => number;

const figure = createFigure('hot');

const titles: Record<HotName, string> = {
  updateEcho: 'Bare node:http echo of an update_balance request',
  socketOff: 'update_balance, SOCKET_FAST_PATH=off',
  update: 'update_balance, default settings, 10,000 players',
  hotPlayer: 'update_balance, all on one player',
  callbacks: 'game/callback, mixed',
  balance: 'user/balance, 10,000 players, no writes',
  validation: 'purchases/validation, 20,000 purchases',
  licence: 'licences, 4,000 activated hosts',
  validationEcho: 'Bare node:http echo of a validation request',
};

const ids: Record<HotName, string> = {
  updateEcho: 'echo',
  socketOff: 'socket-off',
  update: 'update_balance',
  hotPlayer: 'one-player',
  callbacks: 'callbacks',
  balance: 'balance',
  validation: 'validation',
  licence: 'licence',
  validationEcho: 'validation-echo',
};

const perSecond: Pick = (result) => result.perSecond;
const service: Pick = ({ serviceUs }) => serviceUs;
/** The CPU time of the service and of PostgreSQL. The echo has no PostgreSQL. */
const cpu: Pick = ({ serviceUs, postgresUs }) => serviceUs + postgresUs;

export function presentHot(figures: Figures): Measurement[] {
  const rate = (above: HotName, below: HotName) =>
    ratio(figures[above].map(perSecond), figures[below].map(perSecond));
  const cost = (name: HotName, echo: HotName = 'updateEcho') =>
    ratio(figures[name].map(cpu), figures[echo].map(service));
  const [update, validationEcho] = ['update', 'validationEcho'] as const;
  const callbacks = figure('', 'Mixed callbacks ÷ update_balance', rate('callbacks', update), {
    bar: { atLeast: 0.8 },
  });
  const names = Object.keys(titles) as HotName[];
  return [
    figure('cpu-of-echo', 'CPU of update_balance ÷ CPU of the echo', cost(update), { bar: { atMost: 1.9 } }),
    figure(
      'validation-cpu-of-echo',
      'CPU of a validation ÷ CPU of the echo',
      cost('validation', validationEcho),
    ),
    figure(
      'licence-cpu-of-validation',
      'CPU of issuing a licence ÷ CPU of a validation',
      ratio(figures.licence.map(cpu), figures.validation.map(cpu)),
      { bar: { atMost: 2.5 } },
    ),
    figure('callbacks-cpu-of-echo', 'CPU of a callback ÷ CPU of the echo', cost('callbacks')),
    figure('balance-cpu-of-echo', 'CPU of user/balance ÷ CPU of the echo', cost('balance')),
    figure('socket-off-cpu-of-echo', 'CPU with SOCKET_FAST_PATH=off ÷ CPU of the echo', cost('socketOff')),
    figure('of-echo', 'update_balance ÷ echo', rate(update, 'updateEcho'), {
      bar: { atLeast: 0.65 },
      aim: 0.75,
    }),
    figure('validation-of-echo', 'Validation ÷ echo', rate('validation', validationEcho), {
      bar: { atLeast: 0.85 },
    }),
    { ...callbacks, id: 'wallet_callbacks_over_update_balance' },
    figure('balance-of-echo', 'user/balance ÷ echo', rate('balance', 'updateEcho')),
    figure('one-player-of-all', 'One player ÷ all players', rate('hotPlayer', update), {
      bar: { atLeast: 1 },
    }),
    figure('socket-off-of-echo', 'SOCKET_FAST_PATH=off ÷ echo', rate('socketOff', 'updateEcho')),
    ...names.flatMap((name) => presentContender(name, figures[name])),
  ];
}

function presentContender(name: HotName, results: readonly HotResult[]): Measurement[] {
  const row = (id: string, title: string, unit: string, pick: Pick) =>
    figure(`${ids[name]}.${id}`, `${titles[name]}: ${title}`, median(results.map(pick)), { unit });
  const isEcho = name === 'updateEcho' || name === 'validationEcho';
  const writes = name === 'update' || name === 'callbacks';
  return [
    row('rate', 'rate', '/s', perSecond),
    row('p99', 'p99 latency', 'ms', (result) => result.p99Ms),
    row('service', isEcho ? 'CPU' : 'CPU of the service', 'µs', service),
    ...(isEcho ? [] : [row('postgres', 'CPU of PostgreSQL', 'µs', (result) => result.postgresUs)]),
    ...(writes ? [row('wal', 'WAL', 'B', (result) => result.walBytes)] : []),
    row('generator', 'CPU of wrk', 'µs', (result) => result.generatorUs),
  ];
}
