// Generates conversations: the bytes that a client sends on one connection, and the pieces in which it sends
// them. Most requests are a plain request that was changed in one or two ways.
import fc, { type Arbitrary } from 'fast-check';

/** A client sends these bytes, or the held orders of the connection are answered. */
export type Step = Buffer | 'release';

export interface Conversation {
  /** The client waits after each step until the service has read the bytes and has nothing more to do. */
  readonly steps: readonly Step[];
  /** How the client closes the connection at the end. Orders that are still held are answered after that. */
  readonly end: 'close' | 'reset';
  /**
   * The number of requests in the conversation, and how many of them are changed, cut, or in one packet with
   * other requests.
   */
  readonly requests: number;
  readonly changed: number;
}

/** A request line with the header lines and bodies of plain requests. */
export interface Template {
  readonly first: string;
  readonly lines: readonly string[];
  readonly bodies: Arbitrary<string>;
}

/** The plain requests of a service, from which conversations are made. */
export interface Requests {
  readonly posts: Arbitrary<Template>;
  readonly reads: Arbitrary<Buffer>;
  /** The name and the value of the header that authenticates a request. */
  readonly secret: readonly [name: string, value: string];
}

interface Draft {
  first: string;
  lines: string[];
  body: string;
  /** Replaces the value of Content-Length. */
  length: string | undefined;
  newline: string;
}

type Change = (draft: Draft) => void;

const set =
  (changes: Partial<Draft>): Change =>
  (draft) =>
    void Object.assign(draft, changes);
const setLine =
  (name: string, line: string): Change =>
  (draft) => {
    draft.lines = draft.lines.map((each) => (each.startsWith(name) ? line : each));
  };
const addLine =
  (line: string, at = 1): Change =>
  ({ lines }) =>
    void lines.splice(at, 0, line);

const secretChanges = ([name, value]: Requests['secret']): readonly Change[] => [
  setLine(name, `${name.toLowerCase()}: ${value}`),
  setLine(name, `${name.toUpperCase()}:${value}`),
  setLine(name, `${name}:  ${value} `),
  setLine(name, `${name}:\t${value}`),
  setLine(name, `${name} : ${value}`),
  setLine(name, `${name}: wrong`),
  setLine(name, `${name}: ${value}, ${value}`),
  addLine(`${name}: ${value}`, 3),
  addLine(`${name}: wrong`, 3),
];

const lineChanges: readonly Change[] = [
  setLine('Host', 'host: x'),
  setLine('Host', 'Host: y'),
  setLine('Content-Type', 'content-type: application/json; charset=utf-8'),
  setLine('Content-Type', 'Content-Type: text/plain'),
  addLine('Host: x'),
  addLine(' folded'),
  addLine('X-A: b\0c'),
  addLine('X-A: b\rc'),
  addLine('X-A: \xe4'),
  addLine('X-Full: yes'),
  addLine('Connection: close'),
  addLine('Connection: keep-alive'),
  addLine('Upgrade: websocket'),
  addLine('Expect: 100-continue'),
  addLine('Expect: wonders'),
  addLine('Content-Encoding: gzip'),
  addLine('Transfer-Encoding: chunked'),
  addLine('Transfer-Encoding: chunked', 4),
  addLine('Transfer-Encoding: identity'),
  addLine('Content-Length: 0', 4),
  addLine('Content-Length: #', 4),
  (draft) => void draft.lines.reverse(),
  (draft) => void draft.lines.shift(),
  (draft) => void draft.lines.pop(),
];

const lengthChanges = [
  '0#',
  '00#',
  '+#',
  '-1',
  '0x5',
  '# ',
  ' #',
  '#,#',
  '# #',
  '',
  '0',
  '1',
  '99999',
  '999999',
].map((length) => set({ length }));

const pathOf = ({ first }: Draft) => first.split(' ')[1] ?? '';

const firstChanges = [
  'POST PATHx HTTP/1.1',
  'POST PATH HTTP/1.0',
  'POST PATH HTTP/1.2',
  'post PATH HTTP/1.1',
  'POST  PATH HTTP/1.1',
  'POST PATH  HTTP/1.1',
  'POST PATH? HTTP/1.1',
  'POST http://xPATH HTTP/1.1',
  'PUT PATH HTTP/1.1',
  'GET PATH HTTP/1.1',
  'HEAD PATH HTTP/1.1',
  'CONNECT x:1 HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  '\r\nPOST PATH HTTP/1.1',
].map(
  (first): Change =>
    (draft) =>
      void Object.assign(draft, { first: first.replace('PATH', pathOf(draft)) }),
);

const bodyChanges: readonly Change[] = [
  (draft) => {
    draft.lines = draft.lines.map((line) =>
      line.replace(/^Content-Length: .*/, 'Transfer-Encoding: chunked'),
    );
    draft.body = `${draft.body.length.toString(16)}\r\n${draft.body}\r\n0\r\n\r\n`;
  },
  set({ newline: '\n' }),
  ...['#-1', '#-2', '#-5', '#+1', '#+2', '#+5'].map((length) => set({ length })),
];

const listChanges = ({ secret }: Requests): readonly Change[] => [
  ...secretChanges(secret),
  ...lineChanges,
  ...lengthChanges,
  ...firstChanges,
  ...bodyChanges,
];

function write({ first, lines, body, length = '#', newline }: Draft): Buffer {
  const more = /^#([+-]\d)$/.exec(length)?.[1];
  const size = String(Math.max(0, body.length + Number(more ?? 0)));
  const value = more === undefined ? length.replaceAll('#', size) : size;
  const text = [first, ...lines].map((line) => line.replace('#', value)).join(newline);
  return Buffer.from(`${text}${newline}${newline}${body}`, 'latin1');
}

const makePost = ({ first, lines }: Template, body: string, changes: readonly Change[]): Buffer => {
  const draft: Draft = { first, lines: [...lines], body, length: undefined, newline: '\r\n' };
  for (const change of changes) change(draft);
  return write(draft);
};

/** Writes a plain request. */
export const writePlain = (template: Template, body: string): Buffer => makePost(template, body, []);

const request = ({ posts }: Requests, changes: Arbitrary<readonly Change[]>): Arbitrary<Buffer> =>
  posts.chain((post) => fc.tuple(post.bodies, changes).map(([body, list]) => makePost(post, body, list)));

/** Changes, removes or inserts one byte of a message. */
const breakOne = (messages: Arbitrary<Buffer>): Arbitrary<Buffer> =>
  fc
    .tuple(messages, fc.nat(), fc.integer({ min: 0, max: 255 }), fc.constantFrom('set', 'cut', 'insert'))
    .map(([bytes, where, byte, how]) => {
      const at = where % bytes.length;
      const end = bytes.subarray(how === 'insert' ? at : at + 1);
      const middle = how === 'cut' ? Buffer.alloc(0) : Buffer.from([byte]);
      return Buffer.concat([bytes.subarray(0, at), middle, end]);
    });

interface Message {
  readonly bytes: Buffer;
  readonly isChanged: boolean;
}

const messageOf = (requests: Requests): Arbitrary<Message> => {
  const plain = request(requests, fc.constant([]));
  const mark = (bytes: Arbitrary<Buffer>, isChanged: boolean) =>
    bytes.map((each) => ({ bytes: each, isChanged }));
  const changed = request(
    requests,
    fc.array(fc.constantFrom(...listChanges(requests)), { minLength: 1, maxLength: 2 }),
  );
  return fc.oneof(
    { weight: 6, arbitrary: mark(plain, false) },
    { weight: 2, arbitrary: mark(requests.reads, false) },
    { weight: 6, arbitrary: mark(changed, true) },
    { weight: 2, arbitrary: mark(breakOne(fc.oneof(plain, plain, requests.reads)), true) },
  );
};

/** Cuts bytes at these places; the places are shares of the length. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [0, ...places.map((share) => Math.floor(share * bytes.length)), bytes.length];
  at.sort((a, b) => a - b);
  return at.slice(1).flatMap((end, i) => (end > (at[i] ?? 0) ? [bytes.subarray(at[i], end)] : []));
}

const share = fc.double({ min: 0, max: 0.999, noNaN: true });
const place = fc.oneof(
  { weight: 6, arbitrary: fc.constant<number[]>([]) },
  { weight: 3, arbitrary: fc.array(share, { minLength: 1, maxLength: 3 }) },
);

interface Packet {
  readonly requests: number;
  readonly changed: number;
  readonly steps: readonly Step[];
}

/** One to three messages in one packet, or cut at any places. Some packets are followed by a release. */
const packetOf = (message: Arbitrary<Message>): Arbitrary<Packet> =>
  fc
    .tuple(
      fc.oneof(
        { weight: 6, arbitrary: message.map((each) => [each]) },
        { weight: 2, arbitrary: fc.array(message, { minLength: 2, maxLength: 3 }) },
      ),
      place,
      fc.boolean(),
    )
    .map(([messages, places, isReleased]) => {
      const pieces = cut(Buffer.concat(messages.map(({ bytes }) => bytes)), places);
      const isAlone = messages.length === 1 && pieces.length === 1;
      return {
        requests: messages.length,
        changed: isAlone ? messages.filter(({ isChanged }) => isChanged).length : messages.length,
        steps: isReleased ? [...pieces, 'release'] : pieces,
      };
    });

/** Conversations with this service. Most of them begin with plain requests. */
export function makeConversations(requests: Requests): Arbitrary<Conversation> {
  const message = messageOf(requests);
  const plain = fc.oneof(request(requests, fc.constant([])), requests.reads);
  const opening = fc.tuple(plain, fc.integer({ min: 1, max: 3 })).map(([bytes, times]): Packet => {
    const steps = Array.from({ length: times }, (): Step[] => [bytes, 'release']).flat();
    return { requests: times, changed: 0, steps };
  });
  return fc
    .tuple(
      fc.oneof(
        { weight: 9, arbitrary: fc.array(opening, { minLength: 1, maxLength: 3 }) },
        { weight: 1, arbitrary: fc.constant<Packet[]>([]) },
      ),
      fc.array(packetOf(message), { minLength: 1, maxLength: 5 }),
      fc.constantFrom<Conversation['end']>('close', 'close', 'close', 'reset'),
    )
    .map(([first, packets, end]) => {
      const all = [...first, ...packets];
      const add = (count: (packet: Packet) => number) => all.reduce((sum, each) => sum + count(each), 0);
      return {
        steps: all.flatMap((packet) => packet.steps),
        end,
        requests: add(({ requests }) => requests),
        changed: add(({ changed }) => changed),
      };
    });
}

/**
 * Conversations that send a plain request four times. The third request is cut into two pieces at a byte, or
 * one of its bytes is changed, or it has one of the changes. Each byte and each change is used once. In the
 * last conversations, the second packet also contains the start of the third request, or the connection is
 * reset while a request waits for a held order.
 */
export function listSystematic(
  requests: Requests,
  template: Template,
  body: { readonly plain: string; readonly held: string },
): Conversation[] {
  const bytes = makePost(template, body.plain, []);
  const all: Conversation[] = [];
  const play = (steps: readonly Step[], end: Conversation['end'] = 'close') =>
    all.push({ steps, end, requests: 4, changed: 1 });
  const add = (...third: Buffer[]) => play([bytes, bytes, ...third, bytes]);
  for (const change of listChanges(requests)) add(makePost(template, body.plain, [change]));
  for (let at = 0; at < bytes.length; at++) {
    if (at > 0) add(bytes.subarray(0, at), bytes.subarray(at));
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    add(changed);
  }
  const held = makePost(template, body.held, []);
  for (let at = 10; at < bytes.length; at += 10) {
    play([bytes, Buffer.concat([bytes, bytes.subarray(0, at)]), bytes, bytes.subarray(at)]);
    play([bytes, bytes, held, bytes], 'reset');
  }
  return all;
}
