// Sends four to five times as many generated requests to both services as the main suite.
import { describeFuzz } from './fuzz-service.ts';
import { openLicensingTarget } from './licensing-target.ts';
import { openWalletTarget } from './wallet-target.ts';

const budget = { cases: () => 1_000, accepted: 0.4 };
describeFuzz('licensing', () => openLicensingTarget(), budget);
describeFuzz('wallet', () => openWalletTarget(), budget);
