// Sends corrupted requests to both services. No request gets a 5xx, every connection is closed, and
// refused requests change nothing.
import { describeRawBytes } from './raw-bytes.ts';
import { size } from './sizes.ts';

describeRawBytes(size(200, 1_500));
