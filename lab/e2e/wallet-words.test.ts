// Every code of a provider's call, of a failed source and of a refusal has a text in both languages.
import { callCodes } from '@counterfoil/wallet-server/connections/calls/call-line';
import { operationErrors } from '@counterfoil/wallet-server/reference/errors-by-operation';
import { failureReasons } from '@counterfoil/wallet-server/upstream/upstream';
import { describe, expect, it } from 'vitest';
import { formatCallCode } from '../../services/wallet/panel/src/providers/call-result.tsx';
import german from '../../services/wallet/panel/src/strings.de.ts';
import { words as english } from '../../services/wallet/panel/src/strings.ts';

describe.each([
  ['English', english],
  ['German', german],
])('in %s', (_language, words) => {
  it('the panel has a text for every result of a provider’s call', () => {
    expect(Object.keys(words.callCodes).sort()).toEqual([...callCodes].sort());
  });

  it('the panel has a text for every failure of a source of games', () => {
    expect(Object.keys(words.failureReasons).sort()).toEqual([...failureReasons].sort());
  });

  it('the panel has a text for every refusal of a callback or a balance update', () => {
    const codes = ['POST /game/callback', 'POST /user/update_balance'].flatMap(
      (operation) => operationErrors[operation] ?? [],
    );
    expect(codes.filter((code) => !(code in words.refusals))).toEqual([]);
  });
});

it('the panel shows the code itself if it has no text for the code', () => {
  expect(formatCallCode('insufficient_funds')).toBe('Balance too low');
  expect(formatCallCode('code_of_a_later_version')).toBe('code_of_a_later_version');
});
