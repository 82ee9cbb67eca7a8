// Both services under spoilt bytes: an answer or an end in time, no 5xx, and nothing changed by a no.
import { describeRawBytes } from './raw-bytes.ts';
import { size } from './sizes.ts';

describeRawBytes(size(60, 1_500));
