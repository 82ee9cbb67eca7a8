// Generated requests to the public API, as many as find rare combinations.
import { it } from 'vitest';
import { sendGenerated } from '../environment/generated-requests.ts';

it('10,000 generated requests', () => sendGenerated(10_000));
