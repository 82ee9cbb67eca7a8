// Every page of the wallet panel on a narrow, dark screen.
import { narrowDark } from './browser.ts';
import { describeWalletPages } from './wallet-pages.ts';

describeWalletPages([narrowDark]);
