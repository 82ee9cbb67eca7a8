// A body in any encoding that existing callers use gives the same parameters. Other bodies are refused.
import { describe, expect, it } from 'vitest';
import { readBody } from './read-body.ts';

const names = ['api_key', 'purchase_code'];
const read = async (body: string | Buffer, type?: string) => {
  const reading = await readBody(Buffer.from(body as string), type, names);
  return 'refused' in reading ? reading.refused : Object.fromEntries(reading.found);
};
const multipart = (...parts: [string, string][]) =>
  parts
    .map(([head, value]) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`)
    .concat('--b--\r\n')
    .join('');
const form = 'application/x-www-form-urlencoded';
const formData = 'multipart/form-data; boundary=b';

describe('readBody', () => {
  const both = { api_key: ['k'], purchase_code: ['c'] };
  const json = '{"api_key":"k","purchase_code":"c","domain":"x","product":null}';
  it.each([
    ['JSON', json, 'application/json', both],
    ['JSON with a charset', json, 'application/json; charset=utf-8', both],
    ['JSON without a content type', json, undefined, both],
    ['JSON with the content type of a form', ` \n${json}`, form, both],
    ['JSON with the content type of multipart', json, formData, both],
    ['JSON with an invalid content type', json, ';;', both],
    ['JSON after a byte order mark', `\ufeff${json}`, 'application/json', both],
    ['a form', 'purchase_code=c&domain=&api_key=k', form, both],
    ['a form with a charset', 'purchase_code=c&api_key=k', `${form};charset=UTF-8`, both],
    [
      'multipart',
      multipart(['name="api_key"', 'k'], ['name="x"', 'y'], ['name=purchase_code', 'c']),
      formData,
      both,
    ],
    [
      'multipart after a line end',
      `\r\n${multipart(['name="purchase_code"', 'c'])}`,
      formData,
      { purchase_code: ['c'] },
    ],
    [
      'multipart after a preamble',
      `for old readers\r\n${multipart(['name="purchase_code"', 'c'])}`,
      formData,
      { purchase_code: ['c'] },
    ],
    [
      'multipart with a file of any bytes',
      Buffer.concat([
        Buffer.from('--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from(`\r\n${multipart(['name="purchase_code"', 'c'])}`),
      ]),
      formData,
      { purchase_code: ['c'] },
    ],
    ['a form that begins with a bracket', '[x]=1&purchase_code=c', form, { purchase_code: ['c'] }],
    ['a form that begins with a brace', '{x}=1&purchase_code=c', form, { purchase_code: ['c'] }],
    ['a form with a bare percent sign', 'x=5%&purchase_code=c', form, { purchase_code: ['c'] }],
    ['an empty body', '', 'application/json', {}],
    ['a blank body', ' \r\n', undefined, {}],
    ['JSON with null, which counts as no value', '{"purchase_code":null}', 'application/json', {}],
    ['JSON with a list as a value', '{"purchase_code":["a"]}', undefined, { purchase_code: [['a']] }],
    ['JSON with __proto__, whose content is ignored', '{"__proto__":{"api_key":"k"}}', undefined, {}],
    [
      'JSON with nested parameters, which are ignored',
      '{"a":{"api_key":"k"},"b":["api_key"]}',
      undefined,
      {},
    ],
    [
      'multipart with a file part, which is ignored',
      multipart(['name="api_key"; filename="f"', 'k']),
      formData,
      {},
    ],
  ])('readBody returns the expected parameters of %s', async (_title, body, type, expected) => {
    expect(await read(body, type)).toEqual(expected);
  });
});

describe('readBody with a repeated parameter', () => {
  const twice = { purchase_code: ['a', 'b'] };
  it.each([
    ['in JSON', '{"purchase_code":"a","purchase_code":"b"}', 'application/json'],
    [
      'in JSON, escaped',
      '{"purchase\\u005fcode":"a", "x":{"purchase_code":"n"} ,"purchase_code" : "b"}',
      undefined,
    ],
    ['in a form', 'purchase_code=a&purchase_code=b', form],
    ['in multipart', multipart(['name="purchase_code"', 'a'], ['name="purchase_code"', 'b']), formData],
  ])('readBody returns both values of a parameter that is repeated %s', async (_title, body, type) => {
    expect(await read(body, type)).toEqual(twice);
  });

  it('readBody finds a parameter by its name, even if a value contains the same text', async () => {
    const body = '{"x":"purchase_code","purchase_code":"\\"purchase_code\\":{[,"}';
    expect(await read(body)).toEqual({ purchase_code: ['"purchase_code":{[,'] });
  });
});

describe('readBody with an invalid body', () => {
  it.each([
    ['broken JSON', '{"purchase_code":', 'application/json', 'invalid_body'],
    ['broken JSON with the content type of a form', '{"purchase_code"', form, 'invalid_body'],
    ['plain text with a JSON content type', 'hello', 'application/problem+json', 'invalid_body'],
    ['plain text without a content type', 'hello', undefined, 'invalid_body'],
    ['a list', '[{"purchase_code":"c"}]', 'application/json', 'invalid_body'],
    ['a JSON text', '"c"', 'application/json', 'invalid_body'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), undefined, 'invalid_body'],
    ['a form with bytes that are not UTF-8', Buffer.from([0x61, 0xff]), form, 'invalid_body'],
    ['a form with escapes that are not UTF-8', 'purchase_code=%ff', form, 'invalid_body'],
    [
      'a multipart value that is no UTF-8',
      Buffer.from(multipart(['name="purchase_code"', '\xff']), 'latin1'),
      formData,
      'invalid_body',
    ],
    ['plain text with the content type of multipart', 'hello', formData, 'invalid_body'],
    ['multipart without a boundary', multipart(), 'multipart/form-data', 'invalid_body'],
    ['multipart without an end', '--b\r\nContent-Disp', formData, 'invalid_body'],
    ['plain text with the content type text/plain', 'hello', 'text/plain', 'unsupported_media_type'],
    ['plain text with an invalid content type', 'hello', ';;', 'unsupported_media_type'],
  ])('readBody refuses %s', async (_title, body, type, expected) => {
    expect(await read(body, type)).toBe(expected);
  });

  it('readBody refuses a multipart body with more than 200 parts', async () => {
    const parts = Array.from({ length: 300 }, () => ['name="x"', 'y'] as [string, string]);
    expect(await read(multipart(...parts), formData)).toBe('invalid_body');
  });
});
