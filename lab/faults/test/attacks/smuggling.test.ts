// The service never serves a request that is hidden in another request.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendRaw } from './raw.ts';
import { openSmuggler, type Smuggler, smuggledTitles } from './smuggler.ts';

let smuggler: Smuggler;
beforeAll(async () => {
  smuggler = await openSmuggler();
});
afterAll(() => smuggler.target.close());

it('the request that the other tests hide in another request is served if it is sent alone', async () => {
  const answer = await sendRaw(smuggler.target.port, smuggler.createPlayer('plain'));
  expect(answer.statuses).toEqual([201]);
  expect(await smuggler.isPlayer('plain')).toBe(true);
});

it.each(smuggledTitles)(
  'a request with %s gets a single 400, and the connection is closed',
  async (title) => {
    const answer = await smuggler.smuggle(smuggler.target.port, title, `direct ${title}`);
    expect(answer.isClosed).toBe(true);
    expect(answer.statuses).toEqual([400]);
    expect(await smuggler.isPlayer(`direct ${title}`)).toBe(false);
  },
);
