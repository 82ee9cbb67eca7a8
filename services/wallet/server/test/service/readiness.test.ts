// GET /readyz: a process whose connections are all in use is still ready.
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Given, givenWallet } from '../environment/given.ts';

let given: Given;

beforeAll(async () => {
  given = await givenWallet();
});
afterAll(() => given.close());

it('a process is ready while all its connections are in use and further queries wait', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const ask = () => given.db.transaction(() => released);
  const questions = Promise.allSettled(Array.from({ length: 24 }, ask));
  await eventually(() => {
    const { idle, waiting } = given.db.connections();
    expect([idle, waiting > 0]).toEqual([0, true]);
  });
  const answer = await given.app.inject('/readyz');
  release();
  await questions;
  expect(answer.statusCode).toBe(200);
});
