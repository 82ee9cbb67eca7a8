// Generates attacks on an operation. Of five requests, two match the document and three are broken in one or
// two ways.
import fc, { type Arbitrary } from 'fast-check';
import { anythingElse, type KnownNames, makeValue } from './arbitraries.ts';
import { nastyTexts } from './nasty-values.ts';
import type { Operation } from './operations.ts';

export type Credentials = 'own' | 'foreign' | 'none' | 'wrong' | 'mixed';

export interface AttackCase {
  readonly operation: Operation;
  readonly credentials: Credentials;
  readonly method: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

interface Draft {
  credentials: Credentials;
  method: string;
  path: Record<string, string>;
  query: [string, string][];
  headers: Record<string, string>;
  body: unknown;
  rawBody: Buffer | undefined;
}

type Break = (draft: Draft) => void;

const credentials = fc.constantFrom<Credentials>(
  ...Array<Credentials>(12).fill('own'),
  'foreign',
  'none',
  'wrong',
  'mixed',
);

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

function record(operation: Operation, known: KnownNames, location: string): Arbitrary<object> {
  const wanted = operation.parameters.filter(
    (each) => each.in === location && !/^(?:x-uid|x-api-key|x-api-secret|origin)$/.test(each.name),
  );
  const model = Object.fromEntries(
    wanted.map((each) => [each.name, makeValue(each.schema, known, each.name).map(asText)]),
  );
  const requiredKeys = wanted.filter((each) => each.required).map((each) => each.name);
  return fc.record(model, { requiredKeys, noNullPrototype: true });
}

/** Generates a value for each parameter in the path, even if the parameter is not documented. */
const pathOf = (operation: Operation, known: KnownNames) =>
  fc.record(
    Object.fromEntries(
      [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [
        name,
        makeValue({ type: 'string' }, known, name).map(asText),
      ]),
    ),
    { noNullPrototype: true },
  );

function bodyOf(operation: Operation, known: KnownNames): Arbitrary<[string, unknown]> {
  const contents = Object.entries(operation.requestBody?.content ?? {});
  if (contents.length === 0) return fc.constant(['', undefined]);
  return fc.oneof(
    ...contents.map(([type, { schema = {} }]) =>
      type === 'application/json' || type.includes('form')
        ? makeValue(schema, known).map((value): [string, unknown] => [type, value])
        : fc.string({ maxLength: 60 }).map((text): [string, unknown] => [type, text]),
    ),
  );
}

const setIn = (draft: Draft, pick: number, value: unknown) => {
  const { body } = draft;
  if (typeof body !== 'object' || body === null) {
    draft.body = value;
    return;
  }
  const names = Object.keys(body);
  const name = names[pick % Math.max(1, names.length)];
  if (name !== undefined) (body as Record<string, unknown>)[name] = value;
};

const dropIn = (draft: Draft, pick: number) => {
  const { body } = draft;
  if (typeof body !== 'object' || body === null) return;
  const names = Object.keys(body);
  const name = names[pick % Math.max(1, names.length)];
  if (name !== undefined) delete (body as Record<string, unknown>)[name];
};

const otherTypes = ['text/plain', 'application/xml', 'application/json; charset=latin1', ';;', ''];

const breaks: Arbitrary<Break> = fc.oneof(
  fc.tuple(fc.nat(20), anythingElse).map(
    ([pick, value]): Break =>
      (draft) =>
        setIn(draft, pick, value),
  ),
  fc.nat(20).map(
    (pick): Break =>
      (draft) =>
        dropIn(draft, pick),
  ),
  anythingElse.map(
    (value): Break =>
      (draft) => {
        draft.body = value;
      },
  ),
  fc.uint8Array({ maxLength: 40 }).map(
    (bytes): Break =>
      (draft) => {
        draft.rawBody = Buffer.from(bytes);
      },
  ),
  fc.constant<Break>((draft) => {
    draft.rawBody = Buffer.from(JSON.stringify(draft.body ?? {}).slice(0, -1));
  }),
  fc.constant<Break>((draft) => {
    draft.rawBody = Buffer.from(`${'[{"a":'.repeat(4000)}1`);
  }),
  fc.constantFrom(...nastyTexts).map(
    (text): Break =>
      (draft) => {
        const [name] = Object.keys(draft.path);
        if (name !== undefined) draft.path[name] = text.slice(0, 600);
      },
  ),
  fc.tuple(fc.nat(9), fc.constantFrom(...nastyTexts)).map(
    ([pick, text]): Break =>
      (draft) => {
        const chosen = draft.query[pick % Math.max(1, draft.query.length)];
        draft.query.push([chosen?.[0] ?? 'x', text]);
        if (chosen && pick % 2 === 0) chosen[1] = text;
      },
  ),
  fc.constantFrom(...otherTypes).map(
    (type): Break =>
      (draft) => {
        draft.headers['content-type'] = type;
      },
  ),
  fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE').map(
    (method): Break =>
      (draft) => {
        draft.method = method;
      },
  ),
  fc
    .constantFrom(
      ['content-encoding', 'gzip'],
      ['expect', 'nothing'],
      ['if-none-match', '*'],
      ['if-none-match', '"'],
      ['range', 'bytes=9-1'],
      ['x-forwarded-for', '127.0.0.1, ::1'],
      ['x-http-method-override', 'DELETE'],
      ['origin', 'null'],
      ['origin', 'https://evil.example'],
      ['cookie', 'a=b; =; "'],
      ['accept', 'text/html'],
      ['idempotency-key', 'x'.repeat(300)],
    )
    .map(
      ([name = '', value = '']): Break =>
        (draft) => {
          draft.headers[name] = value;
        },
    ),
);

const writeForm = (body: unknown): Buffer =>
  Buffer.from(
    Object.entries((body ?? {}) as object)
      .map(([name, value]) => `${escapeText(name)}=${escapeText(asText(value) ?? '')}`)
      .join('&'),
  );

/** Escapes a text for a URL. A lone surrogate cannot be escaped, so U+FFFD is sent instead. */
export const escapeText = (text: string) => encodeURIComponent(Buffer.from(text).toString());

const writeParts = (body: unknown): Buffer =>
  Buffer.from(
    `${Object.entries((body ?? {}) as object)
      .map(
        ([name, value]) =>
          `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${asText(value)}\r\n`,
      )
      .join('')}--b--\r\n`,
  );

function writeBody(type: string, draft: Draft): Buffer | undefined {
  if (draft.rawBody) return draft.rawBody;
  if (draft.body === undefined) return undefined;
  if (type.includes('urlencoded')) return writeForm(draft.body);
  if (type.includes('multipart')) return writeParts(draft.body);
  if (type === 'application/json' || typeof draft.body !== 'string') {
    return Buffer.from(JSON.stringify(draft.body));
  }
  return Buffer.from(draft.body);
}

export function makeCase(operation: Operation, known: KnownNames): Arbitrary<AttackCase> {
  const broken = fc.oneof(
    { weight: 2, arbitrary: fc.constant<Break[]>([]) },
    { weight: 3, arbitrary: fc.array(breaks, { minLength: 1, maxLength: 2 }) },
  );
  return fc
    .tuple(
      credentials,
      pathOf(operation, known),
      record(operation, known, 'query'),
      record(operation, known, 'header'),
      bodyOf(operation, known),
      broken,
    )
    .map(([who, path, query, headers, [type, body], changes]): AttackCase => {
      const draft: Draft = {
        credentials: who,
        method: operation.method,
        path: { ...(path as Record<string, string>) },
        query: Object.entries(query as Record<string, string>),
        headers: {
          ...(type !== '' && {
            'content-type': type.includes('multipart') ? `${type}; boundary=b` : type,
          }),
          ...(headers as Record<string, string>),
        },
        body: structuredClone(body),
        rawBody: undefined,
      };
      for (const change of changes) change(draft);
      return { operation, ...draft, body: writeBody(type, draft) };
    });
}
