// Sends generated requests to every operation of the wallet service.
import { describeFuzz } from './fuzz-service.ts';
import { isWhole, size } from './sizes.ts';
import { openWalletTarget } from './wallet-target.ts';

describeFuzz('wallet', () => openWalletTarget(), {
  cases: (operations) => size(operations, 10_000),
  accepted: isWhole ? 0.4 : 0.2,
});
