// Every page of the licensing panel on a narrow, dark screen.
import { narrowDark } from './browser.ts';
import { describeLicensingPages } from './licensing-pages.ts';

describeLicensingPages([narrowDark]);
