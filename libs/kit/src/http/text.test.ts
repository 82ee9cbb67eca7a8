// The API document shows a pattern for each text. In every regular expression engine, this pattern must match
// exactly the texts that the service accepts. There are two exceptions. The first exception is the values in
// `unshown`. The second exception is a text that ends with a line break: in PCRE and Python, `$` also matches
// before that line break.
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { engines, type Trial } from '../testing/openapi/match-patterns.ts';
import type { Schema } from './openapi/document.ts';
import { exactMomentForm, momentForm, positiveAmountForm } from './openapi/forms.ts';
import { showSchema } from './openapi/schema-marks.ts';
import { MailOrNoneText, MailText, notBlankForm, PrintableText, ProseText } from './text.ts';

const max = 100;
const schemas = {
  printable: PrintableText({ max }),
  prose: ProseText({ max }),
  mail: MailText({ max }),
  'mail or none': MailOrNoneText({ max }),
};

const texts: Record<keyof typeof schemas, { right: string[]; wrong: string[] }> = {
  printable: {
    right: ['', 'player-1', 'Größe "1"', 'Ελλάδα 中文', '😀👍🏽', '/a\\b[c]^$', '\u00a0'],
    wrong: ['\u0000', 'a\u0007', '\u001f', '\u007f', '\u0085', 'a\nb', 'a\u2028b', '\u2029'],
  },
  prose: {
    right: ['', 'one\ntwo\r\n\tthree', '😀', '\u2028'],
    wrong: ['\u0000', 'a\u0008b', '\u000b', '\u000c', '\u001f', '\u007f'],
  },
  mail: {
    right: ['ada@example.com', 'a@b', 'größe@müller.example', '中文@例え.example', '😀@x.example'],
    wrong: ['', 'a', '@', 'a@', '@b', 'a b@c', 'a@b@c', 'a\u200b@b', 'a@\ufeffb', 'a\u00a0@b'],
  },
  'mail or none': {
    right: ['', 'ada@example.com'],
    wrong: ['a', ' ', 'a@', 'a@b c', 'a\ue000@b'],
  },
};

const patternOf = (schema: object) => (showSchema(schema) as Schema).pattern ?? '';

const trialsOf = (kind: 'right' | 'wrong'): Trial[] =>
  Object.entries(texts).flatMap(([name, each]) =>
    each[kind].map((text): Trial => [patternOf(schemas[name as keyof typeof schemas]), text]),
  );

describe.each(engines)('the regular expression engine of $name', ({ match, isThere }) => {
  it.runIf(isThere)('the documented patterns match all valid texts and no invalid text', () => {
    expect(new Set(match(trialsOf('right')))).toEqual(new Set([true]));
    expect(new Set(match(trialsOf('wrong')))).toEqual(new Set([false]));
  });

  it.runIf(isThere)('the engine supports the patterns of non-blank texts, of times and of amounts', () => {
    const [, amount] = positiveAmountForm.anyOf ?? [];
    const forms = [notBlankForm(9), momentForm, exactMomentForm, amount as Schema];
    const given = [
      ['a', ' a ', '😀'],
      ['2026-05-04', '2026-05-04T10:00', '2028-02-29 10:00:59.5+0530', '9998-12-31T23:59:59Z'],
      ['2026-05-04T10:00:00Z', '2026-05-04T10:00+02:00'],
      ['1', '0.01', '12.50', '007', '1000000'],
    ];
    const refused = [
      ['', ' ', '\u00a0\u3000', 'a\u0000'],
      ['', 'string', '1969-12-31', '9999-01-01', '2026-02-30', '2026-13-01', '2026-05-04T25:00Z'],
      ['2026-05-04', '2026-05-04T10:00', '2026-05-04T10:00:61Z'],
      ['', '0', '0.00', '-1', '1e2', '.5', '1.', '0x10'],
    ];
    const trials = (all: string[][]) =>
      all.flatMap((each, i) => each.map((text): Trial => [forms[i]?.pattern ?? '', text]));
    expect(match(trials(given)).filter((each) => each !== true)).toEqual([]);
    expect(match(trials(refused)).filter((each) => each !== false)).toEqual([]);
  });
});

/**
 * Values that the service refuses although the documented pattern accepts them: no pattern can express these
 * rules in every engine.
 */
const unshown: Record<keyof typeof schemas, string[]> = {
  printable: ['\ud800'],
  prose: ['\ud800'],
  mail: ['a@b\udfff', 'ada\u{e0061}@example.com', 'a@\u{1d173}b', '\u{f0000}@b'],
  'mail or none': ['a@b\udfff', 'ada\u{e0061}@example.com'],
};

it('the service enforces the documented patterns, and further rules that no pattern can express', () => {
  const ajv = new Ajv({ strict: false });
  for (const [key, { right, wrong }] of Object.entries(texts)) {
    const name = key as keyof typeof schemas;
    const schema = schemas[name];
    for (const text of right) expect([text, ajv.validate(schema, text)]).toEqual([text, true]);
    for (const text of [...wrong, ...unshown[name]]) {
      expect([text, ajv.validate(schema, text)]).toEqual([text, false]);
    }
  }
});
