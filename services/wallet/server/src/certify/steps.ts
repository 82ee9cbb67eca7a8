// The steps of a case: each sends a request, checks its answer, and then checks the player's balance.
import { randomUUID } from 'node:crypto';
import { formatDecimal } from '../connections/dialects/amounts.ts';
import type { ProviderRequest } from '../connections/dialects/dialect.ts';
import type { SendRequest } from './send-request.ts';
import type { Answer, Caller, Message, OtherCallers, Reason, Signing, Speaker } from './speaker.ts';

/**
 * Thrown if the wallet did not pass a step. The fields are parts of one sentence: "`what` `expected`, but
 * `seen`".
 */
export class CaseFailed extends Error {
  override readonly name = 'CaseFailed';
  /** The request that was sent, for example `a bet of 1.00`. */
  readonly what: string;
  /** The behaviour that the dialect requires, for example `should be accepted`. */
  readonly expected: string;
  /** The behaviour that the wallet showed, for example `it was refused with 403`. */
  readonly seen: string;

  /**
   * A description of the wallet's fault. It is set only if the step can describe the fault more precisely
   * than the case does.
   */
  readonly fault: string | undefined;

  constructor(what: string, expected: string, seen: string, fault?: string) {
    super(`${what} ${expected}, but ${seen}`);
    this.what = what;
    this.expected = expected;
    this.seen = seen;
    this.fault = fault;
  }
}

/** How a request is signed, and how it is changed after it was signed. */
interface Sending {
  readonly signing?: Signing;
  readonly change?: (signed: ProviderRequest) => ProviderRequest;
}

export interface Steps<S extends Speaker = Speaker> {
  readonly speaker: S;
  readonly caller: Caller;
  readonly others: OtherCallers;
  /**
   * The amount of a small bet in minor units: 1.00, or 2 if amounts have no decimals. The number is even, so
   * that a case can halve it.
   */
  readonly unit: bigint;
  /** The highest stake that the wallet accepts; undefined if the wallet has no limit. */
  readonly maxStake: bigint | undefined;
  /** The player's balance after the latest step. */
  readonly balance: () => bigint;
  readonly format: (minor: bigint) => string;
  readonly newId: () => string;
  /** Sends a message without checking the answer. The next step, or `expectBalance`, checks the balance. */
  send(message: Message, sending?: Sending): Promise<Answer>;
  /** Sends a request that the wallet must accept, and that must change the balance by this amount. */
  accept(what: string, message: Message, change: bigint): Promise<Answer>;
  /** Sends a request that the wallet must refuse for this reason without moving money. */
  refuse(what: string, message: Message, reason: Reason, sending?: Sending): Promise<Answer>;
  /** Sends a request that may get any answer of the dialect, but must move no money. */
  ignore(what: string, message: Message): Promise<Answer>;
  /** Sends a message again. The repeat must get the same answer as the first time and move no money. */
  repeat(what: string, message: Message, first: Answer): Promise<void>;
  /** Reads the balance. The balance must have changed by this amount since the latest step. */
  expectBalance(what: string, change: bigint): Promise<void>;
  expect(isTrue: boolean, what: string, expected: string, seen: string): void;
}

/** The money that all steps took and paid, measured by the changes of the player's balance. */
export interface Moved {
  taken: bigint;
  paid: bigint;
}

export interface StepTerms {
  readonly speaker: Speaker;
  readonly caller: Caller;
  readonly others: OtherCallers;
  readonly send: SendRequest;
  readonly decimals: number;
  readonly maxStake: bigint | undefined;
}

/**
 * The steps of a run. `readBalance` reads and remembers the player's balance. Later steps compute the
 * expected balances from it.
 */
export type RunSteps = Steps & { readonly moved: Moved; readBalance(): Promise<bigint> };

export function createSteps(terms: StepTerms): RunSteps {
  const { speaker, caller, others, send, decimals, maxStake } = terms;
  const format = (minor: bigint) => formatDecimal(minor, decimals);
  const moved: Moved = { taken: 0n, paid: 0n };
  let known: bigint | undefined;
  const balance = () => known ?? 0n;
  const transmit = async (message: Message, { signing, change = (same) => same }: Sending = {}) => {
    const { status, text } = await send(change(speaker.sign(message, signing)));
    return speaker.read(status, text);
  };
  const readBalance = async () => {
    const answer = await transmit(speaker.balance(caller));
    if (!answer.accepted || answer.balance === undefined) {
      const seen = answer.accepted ? `it had no balance with ${decimals} decimals` : describe(answer);
      throw new CaseFailed('a balance call', 'should be answered with the balance', seen);
    }
    const change = answer.balance - (known ?? answer.balance);
    if (change < 0n) moved.taken -= change;
    else moved.paid += change;
    known = answer.balance;
    return known;
  };
  const settle = async (what: string, before: bigint, change: bigint, failure?: AnswerFailure) => {
    const wanted = before + change;
    const actual = await readBalance();
    if (failure || actual !== wanted) throw describeFailure(what, { wanted, actual, format }, failure);
  };
  const check = { speaker, format };
  return {
    speaker,
    caller,
    others,
    maxStake,
    balance,
    format,
    moved,
    readBalance,
    expect: expectTrue,
    unit: decimals === 0 ? 2n : 10n ** BigInt(decimals),
    newId: randomUUID,
    send: transmit,
    accept: async (what, message, change) => {
      const before = balance();
      const answer = await transmit(message);
      await settle(what, before, change, findAcceptFailure(check, answer, before + change));
      return answer;
    },
    refuse: async (what, message, reason, sending) => {
      const before = balance();
      const answer = await transmit(message, sending);
      await settle(what, before, 0n, findRefuseFailure(check, answer, reason));
      return answer;
    },
    ignore: async (what, message) => {
      const before = balance();
      const answer = await transmit(message);
      await settle(what, before, 0n, findIgnoreFailure(answer));
      return answer;
    },
    repeat: async (what, message, first) => {
      const before = balance();
      const answer = await transmit(message);
      const isSame = speaker.isSameAnswer(first, answer, before);
      const seen = answer.accepted ? 'it got another answer' : describe(answer);
      const failure = { expected: 'get the first answer again', seen };
      await settle(what, before, 0n, isSame ? undefined : failure);
    },
    expectBalance: (what, change) => settle(what, balance(), change),
  };
}

function findIgnoreFailure(answer: Answer): AnswerFailure | undefined {
  if (answer.body !== undefined && answer.status < 500) return undefined;
  return { expected: 'get an answer of the dialect', seen: describe(answer) };
}

const expectTrue: Steps['expect'] = (isTrue, what, expected, seen) => {
  if (!isTrue) throw new CaseFailed(what, `should ${expected}`, seen);
};

/** Makes an error with two balances: the balance that the step should leave, and the balance that it left. */
function describeFailure(
  what: string,
  { wanted, actual, format }: { wanted: bigint; actual: bigint; format: (minor: bigint) => string },
  failure: AnswerFailure | undefined,
): CaseFailed {
  const { expected = '', seen = '', fault } = failure ?? {};
  const leaving = `leave a balance of ${format(wanted)}`;
  const left = `the balance is ${format(actual)}`;
  return new CaseFailed(
    what,
    expected === '' ? `should ${leaving}` : `should ${expected} and ${leaving}`,
    seen === '' ? left : `${seen} and ${left}`,
    actual === wanted ? fault : undefined,
  );
}

/** A wrong answer. Its texts become the texts of `CaseFailed`. */
interface AnswerFailure {
  readonly expected: string;
  readonly seen: string;
  readonly fault?: string | undefined;
}

interface Check {
  readonly speaker: Speaker;
  readonly format: (minor: bigint) => string;
}

function findAcceptFailure(
  { speaker, format }: Check,
  answer: Answer,
  wanted: bigint,
): AnswerFailure | undefined {
  const fail = (seen: string) => ({ expected: 'be accepted', seen });
  if (!answer.accepted) return fail(describe(answer));
  if (!speaker.hasRightStatus(answer)) return fail(`it was answered with HTTP ${answer.status}`);
  if (answer.balance === undefined) return fail('the answer had no exact balance');
  if (answer.balance !== wanted) return fail(`the answer had the balance ${format(answer.balance)}`);
  return undefined;
}

function findRefuseFailure({ speaker }: Check, answer: Answer, reason: Reason): AnswerFailure | undefined {
  const codes = speaker.codes[reason];
  const isRight = !answer.accepted && codes.includes(answer.code) && speaker.hasRightStatus(answer);
  if (isRight) return undefined;
  const expected = `be refused with ${codes.join(' or ')}`;
  return { expected, seen: describe(answer), fault: findRefusalFault(speaker, answer) };
}

/**
 * Finds the two faults that are serious in every dialect. After a 5xx, the provider would repeat the request.
 * After "missing funds", the provider would ask the player to pay money in.
 */
function findRefusalFault({ codes }: Speaker, { status, accepted, code }: Answer): string | undefined {
  if (status >= 500) return 'The wallet answers a wrong request with a server error';
  const isLack = !accepted && codes.funds.includes(code);
  return isLack ? 'The wallet wrongly names missing funds as the reason' : undefined;
}

export function describe({ accepted, status, code, detail, body }: Answer): string {
  if (body === undefined) return `it was answered with HTTP ${status} and no JSON object`;
  if (accepted) return 'it was accepted';
  const reason = code === '' ? 'no code' : code;
  const text = detail === '' ? '' : ` (${detail.slice(0, 100)})`;
  return `it was refused with ${reason} and HTTP ${status}${text}`;
}
