// Sends corrupted requests to both services: each ends, none with a 5xx, and refused ones change nothing.
import { describeRawBytes } from './raw-bytes.ts';
import { size } from './sizes.ts';

describeRawBytes(size(60, 1_500));
