// Sends enough generated requests to the public API to find rare combinations of input.
import { it } from 'vitest';
import { sendGenerated } from '../environment/generated-requests.ts';

it('10,000 generated requests cause no 5xx and change no data', () => sendGenerated(10_000));
