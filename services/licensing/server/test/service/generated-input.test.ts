// Generated requests to the public API: no answer is a 5xx or malformed, and no data changes.
import { it } from 'vitest';
import { sendGenerated } from '../environment/generated-requests.ts';

it('1,000 generated requests cause no 5xx and change no data', () => sendGenerated(1000));
