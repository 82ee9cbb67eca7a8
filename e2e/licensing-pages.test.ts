// Every page of the licensing panel on a narrow, dark screen.
import { narrowDark, navigate } from './browser.ts';
import { describeLicensingPages } from './licensing-pages.ts';

describeLicensingPages([narrowDark], navigate);
