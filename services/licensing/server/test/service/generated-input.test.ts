// Generated requests to the public API: no answer is a 5xx or malformed, and no data changes.
import { it } from 'vitest';
import { sendGenerated } from '../environment/generated-requests.ts';

it('answers 1,000 generated requests without a 5xx and without changing data', () => sendGenerated(1000));
