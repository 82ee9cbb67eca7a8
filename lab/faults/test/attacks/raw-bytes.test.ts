// Corrupted requests to both services end in time, without 5xx; refused ones change nothing.
import { describeRawBytes } from './raw-bytes.ts';
import { size } from './sizes.ts';

describeRawBytes(size(60, 1_500));
