// Runs all cases of a dialect against a wallet, one after the other, with one player's money.
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import { listCases } from './cases/cases.ts';
import { placeBet } from './cases/money.ts';
import type { CertificationCase } from './certification-case.ts';
import { findUnusable } from './find-unusable.ts';
import { NoAnswer } from './send-request.ts';
import { CaseFailed, createSteps, type Moved, type RunSteps, type StepTerms } from './steps.ts';

export interface CaseResult {
  readonly id: string;
  readonly expected: string;
  readonly seen: string;
  readonly verdict: 'passed' | 'failed' | 'skipped';
  /** The fault of the wallet, as a sentence. Only failed cases have this field. */
  readonly failure?: string;
}

export interface Certification {
  readonly cases: readonly CaseResult[];
  readonly start: bigint;
  /** The balance at the end; undefined if the balance could not be read after a failed case. */
  readonly end: bigint | undefined;
  readonly moved: Moved;
}

/** The player must have 10.00 at the start. The cases need a balance of up to 4.00; the rest is a reserve. */
const neededUnits = 10n;

export async function certifyWallet(terms: StepTerms): Promise<Certification> {
  const steps = createSteps(terms);
  const start = await readFirstBalance(terms, steps);
  let end: bigint | undefined = start;
  const cases: CaseResult[] = [];
  for (const each of listCases(terms.speaker.dialect)) {
    const reason = end === undefined ? 'the balance cannot be read any more' : findSkipReason(each, steps);
    const result = reason === undefined ? await runCase(each, steps) : skip(each, reason);
    cases.push(result);
    if (result.verdict === 'failed') end = await restore(steps, start);
  }
  return { cases, start, end: end === undefined ? undefined : steps.balance(), moved: steps.moved };
}

/**
 * Returns the player's balance. Refuses to start if the address, the credentials or the player are not
 * usable, or if the balance is too low.
 */
async function readFirstBalance({ speaker, caller, send }: StepTerms, steps: RunSteps): Promise<bigint> {
  const { format, unit } = steps;
  try {
    const unusable = findUnusable(speaker, await send(speaker.sign(speaker.balance(caller))));
    if (unusable !== undefined) throw new CommandRefused(`${unusable}.`);
    const balance = await steps.readBalance();
    const needed = unit * neededUnits;
    if (balance >= needed) return balance;
    throw new CommandRefused(
      `The player needs at least ${format(needed)} but has ${format(balance)}; no money was moved.`,
    );
  } catch (error) {
    if (error instanceof NoAnswer) {
      throw new CommandRefused(`The wallet cannot be reached: ${error.message}.`, 'unavailable');
    }
    if (!(error instanceof CaseFailed)) throw error;
    throw new CommandRefused(`The wallet answered the second balance call differently: ${error.seen}.`);
  }
}

const options = {
  maxStake: '--max-stake',
  expired: '--expired-session',
  foreign: '--other-session',
  blocked: '--blocked-player',
} as const;

function findSkipReason(each: CertificationCase, steps: RunSteps): string | undefined {
  const { stakesAll, needs } = each;
  const { maxStake, balance, others } = steps;
  if (needs && { maxStake, ...others }[needs] === undefined) return `needs ${options[needs]}`;
  if (needs === 'maxStake' && maxStake !== undefined && balance() <= maxStake) {
    return 'needs a balance above the maximum stake';
  }
  const isLimited = stakesAll && maxStake !== undefined && maxStake < balance() * 2n;
  return isLimited ? 'needs a higher maximum stake' : undefined;
}

const skip = ({ id, rule }: CertificationCase, reason: string): CaseResult => ({
  id,
  expected: rule,
  seen: reason,
  verdict: 'skipped',
});

async function runCase(each: CertificationCase, steps: RunSteps): Promise<CaseResult> {
  const { id, rule: expected, fault } = each;
  try {
    await each.run(steps);
    return { id, expected, seen: 'as expected', verdict: 'passed' };
  } catch (error) {
    if (error instanceof CaseFailed) {
      const { what, seen, message } = error;
      const failure = `${error.fault ?? fault}: ${message}.`;
      return { id, expected, seen: `${what}: ${seen}`, verdict: 'failed', failure };
    }
    if (!(error instanceof NoAnswer)) throw error;
    const seen = `no answer: ${error.message}`;
    return { id, expected, seen, verdict: 'failed', failure: `The wallet sent no answer: ${error.message}.` };
  }
}

/**
 * Restores the balance that the player had at the start, so that the player has enough money for the next
 * cases. A bet lowers a balance that is too high. A bet and its win raise a balance that is too low. A faulty
 * wallet may refuse them. Returns the balance afterwards, or undefined if the balance cannot be read.
 */
async function restore(steps: RunSteps, start: bigint): Promise<bigint | undefined> {
  try {
    const balance = await steps.readBalance();
    if (balance === start) return balance;
    const bet = placeBet(steps, balance > start ? balance - start : balance > 0n ? 1n : 0n);
    await steps.send(bet.message);
    if (balance < start) await steps.send(bet.win(start - balance + bet.amount));
    return await steps.readBalance();
  } catch (error) {
    if (error instanceof NoAnswer || error instanceof CaseFailed) return undefined;
    throw error;
  }
}
