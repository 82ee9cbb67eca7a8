// I2: nothing is there that was not sent, as it was sent.
import type { Call } from '../client/client-log.ts';
import { keyOf, type Order } from '../client/order.ts';
import type { Facts } from './facts.ts';
import { fits, groupRows } from './match.ts';
import { type Violation, violation } from './violation.ts';

export function checkNothingUnsent(calls: readonly Call[], facts: Facts): Violation[] {
  const sent = new Map<string, Order[]>();
  for (const { order } of calls) {
    const key = keyOf(order);
    sent.set(key, [...(sent.get(key) ?? []), order]);
  }
  const groups = groupRows(facts);
  const { packageId } = facts;
  const isThere = ({ reference: id }: Order) =>
    id !== undefined && groups.has(keyOf({ packageId, kind: 'bet', id }));
  return [...groups].flatMap(([key, rows]) => {
    const orders = sent.get(key);
    if (!orders) return [violation('I2', `${key} is there, but was never sent`)];
    return rows
      .filter(
        (row) =>
          !orders.some(
            // A bet that is there must be found by who refers to it.
            (order) => fits(facts, row, order) && !(row.reference === '' && isThere(order)),
          ),
      )
      .map((row) =>
        violation('I2', `${key} is there as ${row.kind} of ${row.amount}, not as sent`),
      );
  });
}
