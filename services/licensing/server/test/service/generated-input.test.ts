// Generated requests to the public API: none gets a 5xx or another shape, and none changes data.
import { it } from 'vitest';
import { sendGenerated } from '../environment/generated-requests.ts';

it('answers 1,000 generated requests without a 5xx and without changing data', () =>
  sendGenerated(1000));
