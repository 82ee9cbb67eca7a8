// A process's own worker that tells the upstream of packages: of all at the start, then of changes.
import { repeat } from '@counterfoil/kit/concurrency/repeat';
import { type RegistrarDeps, registerPackages } from './register-packages.ts';
import { wantAllRegistrations } from './want-registration.ts';

const usualPauseMs = 1000;

export interface Registrar {
  stop(): Promise<void>;
}

export async function startRegistrar(
  deps: RegistrarDeps & { readonly pauseMs?: number },
): Promise<Registrar> {
  const { db, logger, pauseMs = usualPauseMs } = deps;
  await wantAllRegistrations(db, deps.now());
  return repeat(
    () => registerPackages(deps),
    pauseMs,
    (error) => logger.warn({ err: error }, 'registering packages with the upstream failed'),
  );
}
