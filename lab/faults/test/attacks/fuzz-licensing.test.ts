// Sends generated requests to every operation of the licensing service.
import { describeFuzz } from './fuzz-service.ts';
import { openLicensingTarget } from './licensing-target.ts';
import { isWhole, size } from './sizes.ts';

describeFuzz('licensing', () => openLicensingTarget(), {
  cases: (operations) => size(2 * operations, 10_000),
  accepted: isWhole ? 0.4 : 0.2,
});
