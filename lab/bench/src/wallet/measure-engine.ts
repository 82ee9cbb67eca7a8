// Measures the engine without HTTP at 256 callers, compared with the rival engine `plainBatch`.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { interleave } from '../interleave.ts';
import { type BenchOptions, warmUpSeconds } from '../measurement.ts';
import type { Books } from './books.ts';
import type { Dataset } from './dataset.ts';

const program = fileURLToPath(new URL('engine-driver.js', import.meta.url));
const callers = 256;

interface Driven {
  readonly answers: number;
  readonly perSecond: number;
}

export type EngineFigures = Record<'engine' | 'plainBatch', number[]>;

export async function measureEngine(target: {
  dataset: Dataset;
  books: Books;
  options: BenchOptions;
}): Promise<EngineFigures> {
  const { dataset, books, options } = target;
  options.say(`Measuring the engine without HTTP, ${callers} callers …`);
  const drivers: ChildProcess[] = [];
  try {
    const ours = await startDriver(drivers, dataset, { packageId: dataset.enginePackageId });
    const plain = await startDriver(drivers, dataset, { ENGINE: 'plain' });
    const watch = { connections: 0, fresh: true };
    const contenders = (seconds: number) => ({
      engine: () => books.watch('engine', watch, () => drive(ours, seconds)),
      plainBatch: () => books.watch('rivals', watch, () => drive(plain, seconds)),
    });
    for (const warmUp of Object.values(contenders(warmUpSeconds(options)))) await warmUp();
    const { engine, plainBatch } = contenders(options.seconds);
    const figures = await interleave<'engine' | 'plainBatch', Driven>({
      bench: options,
      contenders: { engine, plainBatch },
      describe: ({ perSecond }) => `${Math.round(perSecond)}/s`,
    });
    return {
      engine: figures.engine.map((each) => each.perSecond),
      plainBatch: figures.plainBatch.map((each) => each.perSecond),
    };
  } finally {
    for (const driver of drivers) driver.kill('SIGTERM');
  }
}

async function startDriver(
  drivers: ChildProcess[],
  dataset: Dataset,
  given: { packageId?: number; ENGINE?: string },
): Promise<ChildProcess> {
  const { packageId = dataset.packageId, ...more } = given;
  const driver = fork(program, [], {
    env: {
      ...process.env,
      ...more,
      WALLET_DATABASE_URL: dataset.url,
      PACKAGE_ID: String(packageId),
    },
  });
  drivers.push(driver);
  await answerOf(driver);
  return driver;
}

async function drive(driver: ChildProcess, seconds: number): Promise<Driven> {
  driver.send({ seconds });
  return (await answerOf(driver)) as Driven;
}

async function answerOf(driver: ChildProcess): Promise<unknown> {
  const ended = once(driver, 'exit').then(() => {
    throw new Error('the engine driver ended');
  });
  const [message] = await Promise.race([once(driver, 'message'), ended]);
  return message;
}
