// Measures the processor time of a bet in each dialect, compared with a bet in the wallet's own protocol.
import { randomBytes } from 'node:crypto';
import { type DialectName, dialectNames } from '@counterfoil/wallet-server/connections/dialects/dialect';
import { interleave } from '../interleave.ts';
import { proveDataset, settleRows } from '../load-target/books.ts';
import { openLedgerDataset, youngDataset } from '../load-target/dataset.ts';
import { type LoadTarget, withLoadTarget } from '../load-target/load-target.ts';
import { readCpuMs, readFamilyCpuMs } from '../machine/processes.ts';
import { withPostgres } from '../machine/start-postgres.ts';
import { type BenchOptions, createFigure, type Measurement, median, ratio } from '../measurement.ts';
import { type Bettor, createOwnBettor, createProvider, measureRsa } from './bettors.ts';
import { sendAll } from './send-all.ts';

/**
 * `own` bets name no session. `own_session` bets name one, so the wallet looks the session up, as it does for
 * `valkyrie` and `hub88`. The package of the two signed kinds requires signatures, as most dialects do.
 */
const ownKinds = {
  own: { withSession: false, isSigned: false },
  own_session: { withSession: true, isSigned: false },
  own_signed: { withSession: false, isSigned: true },
  own_signed_session: { withSession: true, isSigned: true },
} as const;
type Own = keyof typeof ownKinds;
const ownNames = Object.keys(ownKinds) as Own[];
const contenders = [...ownNames, ...dialectNames] as const;
type Contender = (typeof contenders)[number];

/**
 * V8 compiles the code of a bet in several steps. The service's time per bet still falls after 20,000 bets in
 * the same protocol.
 */
const warmUpRuns = 6;

/** Processor time per bet in microseconds. */
interface Cost {
  readonly service: number;
  readonly postgres: number;
}

export async function benchDialects(options: BenchOptions): Promise<Measurement[]> {
  const settings = { shared_preload_libraries: 'pg_stat_statements' };
  return withPostgres(options, settings, async (postgres) => {
    const dataset = await openLedgerDataset(postgres, { ...youngDataset, packages: 2 }, options.say);
    return withLoadTarget({ dataset, postgresPid: postgres.pid }, async (target) => {
      const costs = await measure(target, options);
      await proveDataset(target.db, dataset);
      return [...present(costs), presentRsa(measureRsa(options.quick ? 100 : 5_000))];
    });
  });
}

async function measure(target: LoadTarget, options: BenchOptions): Promise<Record<Contender, Cost[]>> {
  // With this number of bets, a run takes about a second. So all contenders of a round run under the same
  // conditions.
  const bets = options.quick ? 500 : 4_000;
  const rounds = options.quick ? options.rounds : options.rounds * 2;
  const runs = {} as Record<Contender, () => Promise<Cost>>;
  for (const name of contenders) {
    const bettor = await createBettor(target, name);
    runs[name] = () => measureBets(target, bettor, bets);
  }
  options.say('Warming up …');
  for (let run = 0; run < (options.quick ? 1 : warmUpRuns); run++) {
    for (const name of contenders) await runs[name]();
  }
  return interleave<Contender, Cost>({
    bench: { ...options, rounds },
    contenders: runs,
    describe: ({ service, postgres }) => `${Math.round(service)} + ${Math.round(postgres)} µs`,
  });
}

function createBettor(target: LoadTarget, name: Contender): Promise<Bettor> {
  const isOwn = (given: Contender): given is Own => given in ownKinds;
  return isOwn(name) ? createOwnBettor(target, ownKinds[name]) : createProvider(target, name);
}

async function measureBets(target: LoadTarget, bettor: Bettor, count: number): Promise<Cost> {
  const { db, dataset, service, postgresPid } = target;
  const run = randomBytes(4).toString('hex');
  // Each run signs new requests before the measurement of the run begins. Requests cannot be reused, because
  // a nonce is accepted only once and a timestamp expires.
  const requests = Array.from({ length: count }, (_, i) => bettor.bet(`${run}-${i}`, i));
  const before = await settleRows(db, dataset);
  const readMs = () => [readCpuMs(service.pid) ?? Number.NaN, readFamilyCpuMs(postgresPid) ?? Number.NaN];
  const [serviceMs = 0, postgresMs = 0] = readMs();
  await sendAll(service.url, requests, bettor.isAccepted);
  const [serviceEndMs = 0, postgresEndMs = 0] = readMs();
  const rows = (await settleRows(db, dataset)) - before;
  if (rows !== count) throw new Error(`the run is void, because ${count} bets wrote ${rows} movements`);
  const perBet = (ms: number) => (ms * 1000) / count;
  return { service: perBet(serviceEndMs - serviceMs), postgres: perBet(postgresEndMs - postgresMs) };
}

const figure = createFigure('dialects');

/** The bet in the wallet's own protocol that needs the same look-ups as a bet in the dialect. */
const comparable: Readonly<Record<DialectName, Own>> = {
  softswiss: 'own',
  slotegrator: 'own',
  valkyrie: 'own_session',
  hub88: 'own_session',
};

function present(costs: Record<Contender, Cost[]>): Measurement[] {
  const listOf = (name: Contender, part: (cost: Cost) => number) => costs[name].map(part);
  const toOwn = (name: DialectName, own: Own, part: (cost: Cost) => number) =>
    ratio(listOf(name, part), listOf(own, part));
  const service = (cost: Cost) => cost.service;
  const postgres = (cost: Cost) => cost.postgres;
  const total = (cost: Cost) => cost.service + cost.postgres;
  return [
    ...contenders.flatMap((name) => [
      figure(`service.${name}`, `Bet in ${name}: service`, median(listOf(name, service)), { unit: 'µs' }),
      figure(`postgres.${name}`, `Bet in ${name}: PostgreSQL`, median(listOf(name, postgres)), {
        unit: 'µs',
      }),
    ]),
    ...dialectNames.flatMap((name) =>
      ownNames.flatMap((own) => [
        figure(
          `cpu.${name}.${own}`,
          `Bet in ${name} ÷ ${own}: service and PostgreSQL`,
          toOwn(name, own, total),
          {
            ...(comparable[name] === own && { bar: { atMost: 1.25 } }),
          },
        ),
        figure(`ratio.${name}.${own}`, `Bet in ${name} ÷ ${own}: service only`, toOwn(name, own, service)),
      ]),
    ),
  ];
}

const presentRsa = (micros: number): Measurement =>
  figure('rsa.hub88', 'Bet in hub88: verification of the RSA signature alone', micros, { unit: 'µs' });
