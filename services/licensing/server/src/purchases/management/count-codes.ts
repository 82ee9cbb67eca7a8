// How many active codes items have.
import type { CountCodes } from '../../items/management/managed-item.ts';
import { selectCodeCounts } from './managed-store.ts';

export const countCodes: CountCodes = (db, of) => selectCodeCounts(db, of);
