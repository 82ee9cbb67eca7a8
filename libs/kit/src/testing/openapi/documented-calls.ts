// Reads the calls in a table of the documentation: the request, and the documented answer.
import { readFile } from 'node:fs/promises';

/** Reads all tables below this heading, and returns the rows whose last cell is a curl command. */
export async function readDocumentedCalls(path: string, heading: string) {
  const text = await readFile(path, 'utf8');
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const lines = (section.split(/\n## /)[0] ?? '').split('\n');
  return lines.filter((line) => /^\|.*`curl /.test(line)).map(readRow);
}

function readRow(line: string) {
  const cells = line.split('|').map((cell) => cell.trim());
  const [, title = '', answer = '', call = ''] = cells;
  const [first = '', ...facts] = [...answer.matchAll(/(without )?`([^`]+)`/g)];
  const [status = '', code] = (first[2] ?? '').split(' ');
  if (!/^[2-5]\d\d$/.test(status)) throw new Error(`no status in: ${line}`);
  const listed = [...facts].map(([, without, fact = '']) => ({ without: Boolean(without), fact }));
  const retry = listed.find(({ fact }) => fact.startsWith('Retry-After: '));
  const said = listed.filter((each) => each !== retry);
  return {
    title,
    ...readCurl(/`(curl [^`]+)`/.exec(call)?.[1] ?? ''),
    status: Number(status),
    /** The error code, or undefined for a success. */
    code,
    retryAfter: retry?.fact.slice('Retry-After: '.length),
    /** The minimum time until the answer, in milliseconds. */
    leastMs: Number(/after (\d+) s/.exec(answer)?.[1] ?? 0) * 1000,
    /** Texts that the body contains, and texts that it must not contain. */
    holds: said.filter(({ without }) => !without).map(({ fact }) => fact),
    lacks: said.filter(({ without }) => without).map(({ fact }) => fact),
  };
}

/**
 * Parses a curl command. It supports only the options that the tables use: `-H @file`, `-d data`, and an
 * address with a variable. The returned `path` includes the query. The file of `-H` contains the headers with
 * the credentials.
 */
function readCurl(text: string) {
  const words = [...text.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare);
  const after = (flag: string) => (words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined);
  const address = text.split(' ').at(-1)?.replace(/['"]/g, '') ?? '';
  const path = /^\$[A-Z]+(\/.*)$/.exec(address)?.[1];
  const headersFile = after('-H')?.replace('@', '');
  if (path === undefined || headersFile === undefined) throw new Error(`unread: ${text}`);
  const body = after('-d');
  return { method: body ? ('POST' as const) : ('GET' as const), path, body, headersFile };
}
