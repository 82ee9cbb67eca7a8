// Generates conversations: the bytes that a client sends on one connection, and the pieces in which it sends
// them. Most requests are a plain request that was changed in one or two ways.
import fc, { type Arbitrary } from 'fast-check';

export interface Conversation {
  /** The client waits after each piece until the service has read it. */
  readonly pieces: readonly Buffer[];
  /** How the client closes the connection at the end. */
  readonly end: 'close' | 'reset';
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

const plainLines = ['Host: x', 'Content-Type: application/json', 'X-Key: right', 'Content-Length: #'];

const bodies = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 10 ** 6 }).map((id) => `{"id":${id}}`) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.nat({ max: 99 }), fc.constantFrom(1, 2, 3))
      .map(([id, ticks]) => `{"id":${id},"later":${ticks}}`),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '{"router":1}',
      '{"fail":1}',
      '{"fail":1,"later":2}',
      '{bad',
      '',
      '[]',
      `{"long":"${'x'.repeat(700)}"}`,
      '{"text":"\xe4"}',
      'GET /balance?player=hidden HTTP/1.1\r\nHost: x\r\nX-Key: right\r\n\r\n',
      '{"a":1}\r\n\r\n{"b":2}',
    ),
  },
);

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

const lineChanges: readonly Change[] = [
  setLine('X-Key', 'x-key: right'),
  setLine('X-Key', 'X-KEY:right'),
  setLine('X-Key', 'X-Key:  right '),
  setLine('X-Key', 'X-Key:\tright'),
  setLine('X-Key', 'X-Key : right'),
  setLine('X-Key', 'X-Key: wrong'),
  setLine('X-Key', 'X-Key: right, right'),
  setLine('Host', 'host: x'),
  setLine('Host', 'Host: y'),
  setLine('Content-Type', 'content-type: application/json; charset=utf-8'),
  setLine('Content-Type', 'Content-Type: text/plain'),
  addLine('X-Key: right', 3),
  addLine('X-Key: wrong', 3),
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

const firstChanges = [
  'POST /order HTTP/1.0',
  'POST /order HTTP/1.2',
  'post /order HTTP/1.1',
  'POST  /order HTTP/1.1',
  'POST /order  HTTP/1.1',
  'POST /order? HTTP/1.1',
  'POST /Order HTTP/1.1',
  'POST http://x/order HTTP/1.1',
  'PUT /order HTTP/1.1',
  'GET /order HTTP/1.1',
  'HEAD /balance?player=a HTTP/1.1',
  'CONNECT x:1 HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  '\r\nPOST /order HTTP/1.1',
].map((first) => set({ first }));

const bodyChanges: readonly Change[] = [
  (draft) => {
    draft.lines = ['Host: x', 'X-Key: right', 'Transfer-Encoding: chunked', 'Content-Type: application/json'];
    draft.body = `${draft.body.length.toString(16)}\r\n${draft.body}\r\n0\r\n\r\n`;
  },
  set({ newline: '\n' }),
  ...['#-1', '#-2', '#-5', '#+1', '#+2', '#+5'].map((length) => set({ length })),
];

const changes = fc.constantFrom<Change>(...lineChanges, ...lengthChanges, ...firstChanges, ...bodyChanges);

function write({ first, lines, body, length = '#', newline }: Draft): Buffer {
  const more = /^#([+-]\d)$/.exec(length)?.[1];
  const size = String(Math.max(0, body.length + Number(more ?? 0)));
  const value = more === undefined ? length.replaceAll('#', size) : size;
  const text = [first, ...lines].map((line) => line.replace('#', value)).join(newline);
  return Buffer.from(`${text}${newline}${newline}${body}`, 'latin1');
}

const request = (changed: Arbitrary<readonly Change[]>): Arbitrary<Buffer> =>
  fc.tuple(bodies, changed).map(([body, list]) => {
    const draft: Draft = {
      first: 'POST /order HTTP/1.1',
      lines: [...plainLines],
      body,
      length: undefined,
      newline: '\r\n',
    };
    for (const change of list) change(draft);
    return write(draft);
  });

const plain = request(fc.constant([]));
const read = fc
  .constantFrom('a', 'a', 'a', 'b', 'a%20', '')
  .map((player) => Buffer.from(`GET /balance?player=${player} HTTP/1.1\r\nHost: x\r\nX-Key: right\r\n\r\n`));
const broken = fc
  .tuple(plain, fc.nat(), fc.integer({ min: 0, max: 255 }), fc.constantFrom('set', 'cut', 'insert'))
  .map(([bytes, where, byte, how]) => {
    const at = where % bytes.length;
    const end = bytes.subarray(how === 'insert' ? at : at + 1);
    return Buffer.concat([bytes.subarray(0, at), how === 'cut' ? Buffer.alloc(0) : Buffer.from([byte]), end]);
  });

const message = fc.oneof(
  { weight: 6, arbitrary: plain },
  { weight: 2, arbitrary: read },
  { weight: 4, arbitrary: request(fc.array(changes, { minLength: 1, maxLength: 2 })) },
  { weight: 2, arbitrary: broken },
);

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

/** One to three messages in one packet, or cut at any places. */
const packet = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: message.map((each) => [each]) },
      { weight: 2, arbitrary: fc.array(message, { minLength: 2, maxLength: 3 }) },
    ),
    place,
  )
  .map(([messages, places]) => cut(Buffer.concat(messages), places));

export const conversations: Arbitrary<Conversation> = fc
  .tuple(
    fc.oneof(
      { weight: 9, arbitrary: plain.map((each) => [each]) },
      { weight: 1, arbitrary: fc.constant([]) },
    ),
    fc.array(packet, { minLength: 1, maxLength: 5 }),
    fc.constantFrom<Conversation['end']>('close', 'close', 'close', 'reset'),
  )
  .map(([first, packets, end]) => ({ pieces: [...first, ...packets.flat()], end }));

/**
 * A conversation that sends a plain request four times. The third request is cut into two pieces at this
 * byte. Returns undefined if the request has no such byte.
 */
export function cutAt(at: number): Conversation | undefined {
  const draft = { first: 'POST /order HTTP/1.1', lines: [...plainLines], body: '{"id":1}', newline: '\r\n' };
  const bytes = write({ ...draft, length: undefined });
  if (at >= bytes.length) return undefined;
  return { pieces: [bytes, bytes, bytes.subarray(0, at), bytes.subarray(at), bytes], end: 'close' };
}
