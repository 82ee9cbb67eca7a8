// Compares many requests that are served from the socket with requests that node:http serves. The comparison
// must detect planted bugs.
import { expect, it } from 'vitest';
import { size } from './sizes.ts';
import { describeOrders } from './socket-orders.ts';
import { findPlanted, plantedBugs } from './socket-planted.ts';
import { describeServices } from './socket-services.ts';

describeOrders(size(1_000, 200_000));
describeServices(size(150, 20_000));

it.each(plantedBugs)('the comparison detects this bug: $name', async (bug) => {
  expect(await findPlanted(bug, 1_000)).toBeDefined();
});
