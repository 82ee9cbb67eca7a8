// A dead upstream must not delay an answer beyond the 5 s of the contract.
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { expect, it } from 'vitest';
import { defaultUpstreamLimits } from './upstream-settings.ts';

/** The limit of the contract for lists and launches. */
const answeredWithinMs = deadlineMs(5000);
/** For our own part: authentication, the database and the way back. */
const oursMs = deadlineMs(300);

it('the timeouts of all sources together leave time to answer', () => {
  const { catalogueMs, privateLaunchMs, launchMs } = defaultUpstreamLimits;
  expect(launchMs).toBeLessThanOrEqual(answeredWithinMs - oursMs);
  expect(catalogueMs.private + catalogueMs.public).toBeLessThanOrEqual(answeredWithinMs - oursMs);
  // The shared session has some time left when the private launch used all of its time.
  expect(launchMs - privateLaunchMs).toBeGreaterThanOrEqual(deadlineMs(500));
});
