// Sends generated requests to every operation of both services.
import { describeFuzz } from './fuzz-service.ts';
import { openLicensingTarget } from './licensing-target.ts';
import { size } from './sizes.ts';
import { openWalletTarget } from './wallet-target.ts';

const cases = size(500, 10_000);
describeFuzz('licensing', () => openLicensingTarget(), cases);
describeFuzz('wallet', () => openWalletTarget(), cases);
