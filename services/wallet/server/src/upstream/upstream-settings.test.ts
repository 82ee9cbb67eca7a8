// A dead upstream must not make an answer later than the contract's 5 s.
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { expect, it } from 'vitest';
import { defaultUpstreamLimits } from './upstream-settings.ts';

/** The contract's, for a list as for a launch. */
const answeredWithinMs = deadlineMs(5000);
/** For what is ours in the answer: the check of who asks, the database, and the way back. */
const oursMs = deadlineMs(300);

it('waiting for every source in turn leaves time to answer', () => {
  const { catalogueMs, privateLaunchMs, launchMs } = defaultUpstreamLimits;
  expect(launchMs).toBeLessThanOrEqual(answeredWithinMs - oursMs);
  expect(catalogueMs.private + catalogueMs.public).toBeLessThanOrEqual(answeredWithinMs - oursMs);
  // The shared session has some time left when the private launch took all of its own.
  expect(launchMs - privateLaunchMs).toBeGreaterThanOrEqual(deadlineMs(500));
});
