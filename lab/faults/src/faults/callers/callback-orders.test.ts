// predictResults() gives the results that the API contract demands for sequences of callbacks.
import { expect, it } from 'vitest';
import { predictResults } from './callback-orders.ts';

it.each([
  ['a bet that wins cannot be rolled back', 'bet win rollback', 'applied applied bet_already_settled'],
  ['a bet that is rolled back cannot win', 'bet rollback win', 'applied rolled_back bet_rolled_back'],
  [
    'a rollback before its bet prevents the bet',
    'rollback bet win',
    'tombstoned bet_rolled_back bet_rolled_back',
  ],
  ['a win before its bet may be sent again', 'win bet win', 'bet_not_found applied applied'],
  ['repeats get the first answer', 'bet bet rollback rollback', 'applied applied rolled_back rolled_back'],
])('predictResults follows the rule that %s', (_title, order, results) => {
  expect(predictResults(order.split(' ') as Parameters<typeof predictResults>[0]).join(' ')).toBe(results);
});
