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
 * One of the three differences that are allowed. While a request is served from the socket, the next bytes
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
 * Another difference that is allowed. If the client closes its side while it waits for an answer, both
 * services close the connection. Which answers they still send depends on when they notice the end of the
 * bytes. They must execute and answer the same requests, up to a point that may differ.
 */
const isCutElsewhere = (one: Outcome, other: Outcome): boolean => {
  const [short, long] = one.text.length < other.text.length ? [one, other] : [other, one];
  const [fewer, more] = one.executed.length < other.executed.length ? [one, other] : [other, one];
  const isSame = long.text.startsWith(short.text) && startsWith(more.executed, fewer.executed);
  return one.isCutShort && other.isCutShort && isSame && one.stray === '' && other.stray === '';
};

/** Removes the lines that say whether the connection ends after an answer. */
const withoutConnection = (text: string) =>
  text.replace(/\r\nconnection: (?:close|keep-alive)(?:\r\nKeep-Alive: [^\r]+)?/gi, '');

/**
 * The third difference that is allowed. A request that is refused before its body has arrived gets an answer
 * that closes the connection; after its body, it gets the same answer, and the connection stays open. If the
 * request waits for another answer, the head and the body may reach the two services at different moments.
 * So the last answer of one service is a refusal that closes the connection. The other service sends the same
 * refusal, and then answers later requests too.
 */
const isClosedByRefusal = (short: Outcome, long: Outcome): boolean => {
  const at = short.text.lastIndexOf('HTTP/1.1 4');
  const last = short.text.slice(at);
  return (
    at !== -1 &&
    short.isClosed &&
    last.includes('\r\nconnection: close\r\n') &&
    long.text.startsWith(short.text.slice(0, at)) &&
    withoutConnection(long.text.slice(at)).startsWith(withoutConnection(last)) &&
    startsWith(long.executed, short.executed) &&
    short.stray === '' &&
    long.stray === ''
  );
};

/** Whether the outcomes differ in an allowed way. Only a request that waits for a held order may differ. */
const isSimilar = (one: Outcome, other: Outcome): boolean =>
  isMoreOfTheSame(one, other) ||
  isCutElsewhere(one, other) ||
  isClosedByRefusal(one, other) ||
  isClosedByRefusal(other, one);

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
  return { one, other, result: isHeld && isSimilar(one, other) ? 'similar' : 'different' };
}
