// `counterfoil doctor`: prints each finding with its advice. The exit status is 1 if there is a problem.
import type { OutputOptions, Terminal } from '@counterfoil/kit/process/command-line/print';
import { widthOf, wrap } from '@counterfoil/kit/process/command-line/table';
import type { Environment } from '@counterfoil/kit/process/config';
import { exitStatus } from '../entry/exit-status.ts';
import type { Service } from '../entry/verbs.ts';
import { examine } from './examine.ts';
import { type Finding, findWorst } from './finding.ts';
import { type Machine, machineOf } from './machine.ts';

export interface DoctorOptions extends OutputOptions {
  readonly service?: Service;
}

/** Runs the doctor. Tests replace parts of `machine` to simulate faults. */
export async function runDoctor(
  context: Terminal & { readonly env: Environment; readonly machine?: Partial<Machine> },
  given: DoctorOptions,
): Promise<void> {
  const machine = { ...machineOf(context.env), ...context.machine };
  const findings = await examine(machine, chooseServices(context.env, given.service));
  const worst = findWorst(findings);
  if (given.json) context.print(JSON.stringify({ status: worst, checks: findings }));
  else context.print(format(findings, context.columns ?? Number.POSITIVE_INFINITY));
  if (worst === 'problem') process.exitCode = exitStatus.failed;
}

/**
 * Chooses the services to check. In production, a machine may run only one service, and then only the
 * database of that service is set.
 */
function chooseServices(env: Environment, named: Service | undefined): readonly Service[] {
  if (named !== undefined) return [named];
  const all: readonly Service[] = ['licensing', 'wallet'];
  if (env.NODE_ENV !== 'production') return all;
  const isNamed = (name: string) => env[name] || env[`${name}_FILE`];
  const here = all.filter((service) => isNamed(`${service.toUpperCase()}_DATABASE_URL`));
  return here.length === 0 ? all : here;
}

const marks = { ok: '✓ ok     ', warning: '! warning', problem: '✗ problem' } as const;

function format(findings: readonly Finding[], columns: number): string {
  const widest = Math.max(...findings.map(({ check }) => widthOf(check)));
  const lines = findings.flatMap(({ check, level, says, advice }) => {
    const lead = `  ${marks[level]}  ${check.padEnd(widest)}  `;
    const room = Math.max(20, columns - widthOf(lead));
    const texts = [...wrap(says, room), ...(advice ? wrap(`→ ${advice}`, room) : [])];
    return texts.map((text, i) => `${i === 0 ? lead : ' '.repeat(widthOf(lead))}${text}`);
  });
  return [...lines, '', summarise(findings)].join('\n');
}

function summarise(findings: readonly Finding[]): string {
  const count = (level: Finding['level']) => findings.filter((each) => each.level === level).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  const formatCount = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`;
  return `${formatCount(problems, 'problem')}, ${formatCount(warnings, 'warning')}, ${count('ok')} ok`;
}
