// Both services under five times as many spoilt bytes as in the main suite.
import { describeRawBytes } from './raw-bytes.ts';

describeRawBytes(300);
