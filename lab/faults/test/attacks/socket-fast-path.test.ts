// Serving plain requests from the socket gives the same answers and effects as serving them with node:http.
import { expect, it } from 'vitest';
import { describeOrders } from './socket-orders.ts';
import { describeServices } from './socket-services.ts';
import { plantedBugs, findPlanted } from './socket-planted.ts';

describeOrders(400);
describeServices(150);

it.each(plantedBugs)('the comparison detects this bug: $name', async (bug) => {
  expect(await findPlanted(bug, 600)).toBeDefined();
});
