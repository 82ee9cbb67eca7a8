// Generates requests as bytes and corrupts them.
import fc, { type Arbitrary } from 'fast-check';

/** A valid request: the lines of its head, and its body. */
export type Template = readonly [head: readonly string[], body: string];

const write = ([head, body]: Template): Buffer => Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);

type Corruption = (bytes: Buffer) => Buffer;

const at = (bytes: Buffer, share: number) => Math.floor(share * bytes.length);
const share = fc.double({ min: 0, max: 0.999, noNaN: true });

const oddities = [
  '\0',
  '\n',
  '\r',
  '\r\n\r\n',
  ' ',
  '\t',
  ':',
  '\x7f',
  '\xff\xfe',
  'Transfer-Encoding: chunked\r\n',
  'Content-Length: 0\r\n',
  'Host: x\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  'HTTP/0.9',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00',
];

const corruptions: Arbitrary<Corruption> = fc.oneof(
  fc.tuple(share, fc.integer({ min: 0, max: 255 })).map(
    ([where, byte]): Corruption =>
      (bytes) => {
        const copy = Buffer.from(bytes);
        copy[at(bytes, where)] = byte;
        return copy;
      },
  ),
  share.map(
    (where): Corruption =>
      (bytes) =>
        bytes.subarray(0, at(bytes, where)),
  ),
  fc.tuple(share, fc.constantFrom(...oddities)).map(
    ([where, oddity]): Corruption =>
      (bytes) => {
        const cut = at(bytes, where);
        return Buffer.concat([bytes.subarray(0, cut), Buffer.from(oddity, 'latin1'), bytes.subarray(cut)]);
      },
  ),
  fc.tuple(share, share).map(
    ([from, to]): Corruption =>
      (bytes) => {
        const [start, end] = [at(bytes, Math.min(from, to)), at(bytes, Math.max(from, to))];
        return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
      },
  ),
  fc.tuple(share, fc.uint8Array({ maxLength: 60 })).map(
    ([where, junk]): Corruption =>
      (bytes) => {
        const cut = at(bytes, where);
        return Buffer.concat([bytes.subarray(0, cut), Buffer.from(junk), bytes.subarray(cut)]);
      },
  ),
  fc.constant<Corruption>((bytes) => Buffer.concat([bytes, bytes])),
  fc.constant<Corruption>((bytes) =>
    Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  ),
);

/** Keeps the headers and corrects Content-Length, so that the request passes the HTTP parser. */
function writeWithBody([head]: Template, body: Buffer): Buffer {
  const lines = head.filter((line) => !/^content-length:/i.test(line));
  const start = [...lines, `Content-Length: ${body.length}`].join('\r\n');
  return Buffer.concat([Buffer.from(`${start}\r\n\r\n`), body]);
}

const makeCorruptedBody = (templates: readonly Template[]): Arbitrary<Buffer> =>
  fc
    .tuple(
      fc.constantFrom(...templates.filter(([, body]) => body !== '')),
      fc.array(corruptions, { minLength: 1, maxLength: 2 }),
    )
    .map(([template, changes]) =>
      writeWithBody(
        template,
        changes.reduce<Buffer>((bytes, change) => change(bytes), Buffer.from(template[1])),
      ),
    );

export const makeRawCase = (templates: readonly Template[]): Arbitrary<Buffer> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc
        .tuple(fc.constantFrom(...templates), fc.array(corruptions, { minLength: 1, maxLength: 3 }))
        .map(([template, changes]) => changes.reduce((bytes, change) => change(bytes), write(template))),
    },
    { weight: 4, arbitrary: makeCorruptedBody(templates) },
    {
      weight: 1,
      arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    },
  );
