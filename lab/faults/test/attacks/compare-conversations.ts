// Plays conversations with two services, and compares everything that the clients can observe.
import type { Conversation, Step } from './conversations.ts';
import { converse, type Observed, type Outcome } from './converse.ts';

/** Two services that must behave alike: requests are served from the socket in the first one only. */
export interface Pair {
  readonly fromSockets: Observed;
  readonly fromHttp: Observed;
  /** Replaces what differs between the two services, for example credentials. */
  readonly translate?: {
    readonly toHttp: (conversation: Conversation) => Conversation;
    readonly fromHttp: (text: string) => string;
  };
}

export const printConversation = ({ steps, end }: Conversation): string => {
  const print = (step: Step) => (step === 'release' ? step : step.toString('latin1'));
  return `${end} ${JSON.stringify(steps.map(print))}`;
};

const countAnswers = ({ text }: Outcome) => text.match(/HTTP\/1\.1 [2-5]\d\d /g)?.length ?? 0;

const startsWith = (all: readonly string[], some: readonly string[]) =>
  some.every((each, i) => each === all[i]);

/**
 * One of the two differences that are allowed. While a request is served from the socket, the next bytes
 * wait. In node:http they are parsed, and if they are invalid, the connection is closed after the answer to
 * the request. From the socket, the client gets the answers to these bytes too. So the socket sends the same
 * answers and then more, and answers everything that it executes.
 */
const isMoreOfTheSame = (one: Outcome, other: Outcome): boolean =>
  other.isClosed &&
  one.text.startsWith(other.text) &&
  startsWith(one.executed, other.executed) &&
  one.stray === '' &&
  countAnswers(one) >= one.executed.length;

/**
 * The other difference that is allowed. If the client closes its side while it waits for an answer, both
 * services close the connection. Which answers they still send depends on when they notice the end of the
 * bytes. They must execute and answer the same requests, up to a point that may differ.
 */
const isCutElsewhere = (one: Outcome, other: Outcome): boolean => {
  const [short, long] = one.text.length < other.text.length ? [one, other] : [other, one];
  const [fewer, more] = one.executed.length < other.executed.length ? [one, other] : [other, one];
  const isSame = long.text.startsWith(short.text) && startsWith(more.executed, fewer.executed);
  return one.isCutShort && other.isCutShort && isSame && one.stray === '' && other.stray === '';
};

interface Compared {
  readonly one: Outcome;
  readonly other: Outcome;
  /** Whether the outcomes are equal, differ in one of the allowed ways, or differ otherwise. */
  readonly result: 'equal' | 'similar' | 'different';
}

export async function compareConversation(pair: Pair, conversation: Conversation): Promise<Compared> {
  const { fromSockets, fromHttp, translate } = pair;
  const [one, played] = await Promise.all([
    converse(fromSockets, conversation),
    converse(fromHttp, translate?.toHttp(conversation) ?? conversation),
  ]);
  const other = { ...played, text: translate?.fromHttp(played.text) ?? played.text };
  const isEqual =
    one.text === other.text &&
    one.isClosed === other.isClosed &&
    one.stray === '' &&
    other.stray === '' &&
    one.executed.length === other.executed.length &&
    startsWith(one.executed, other.executed);
  if (isEqual) return { one, other, result: 'equal' };
  const isHeld = conversation.steps.some((step) => step !== 'release' && step.includes('hold'));
  const isSimilar = isHeld && (isMoreOfTheSame(one, other) || isCutElsewhere(one, other));
  return { one, other, result: isSimilar ? 'similar' : 'different' };
}
