// A provider that does not respond must not delay an answer beyond the 5 s of the contract.
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { expect, it } from 'vitest';
import { defaultUpstreamLimits } from './upstream-settings.ts';

/** The contract's time limit for game lists and launches. */
const answeredWithinMs = deadlineMs(5000);
/** The time that the service itself needs for authentication, the database and the answer. */
const oursMs = deadlineMs(300);

it('the time limits of launches and of game lists leave 300 ms of the 5 s for the service itself', () => {
  const { catalogueMs, privateLaunchMs, launchMs } = defaultUpstreamLimits;
  expect(launchMs).toBeLessThanOrEqual(answeredWithinMs - oursMs);
  expect(catalogueMs.private + catalogueMs.public).toBeLessThanOrEqual(answeredWithinMs - oursMs);
  // At least 500 ms remain for the shared session when the private launch has timed out.
  expect(launchMs - privateLaunchMs).toBeGreaterThanOrEqual(deadlineMs(500));
});
