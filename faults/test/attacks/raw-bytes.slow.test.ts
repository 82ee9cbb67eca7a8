// Both services under ten times as many spoilt bytes as in the main suite.
import { describeRawBytes } from './raw-bytes.ts';

describeRawBytes(600);
