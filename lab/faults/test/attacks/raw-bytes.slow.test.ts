// Sends five times as many corrupted requests to both services as the main suite.
import { describeRawBytes } from './raw-bytes.ts';

describeRawBytes(300);
