// Generated requests to the public API, enough to find rare combinations.
import { it } from 'vitest';
import { sendGenerated } from '../environment/generated-requests.ts';

it('answers 10,000 generated requests without a 5xx and without changing data', () => sendGenerated(10_000));
