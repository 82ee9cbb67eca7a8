// Generated requests to the public API: never a 5xx, always the one shape, and nothing is changed.
import { it } from 'vitest';
import { sendGenerated } from '../environment/generated-requests.ts';

it('1,000 generated requests', () => sendGenerated(1000));
