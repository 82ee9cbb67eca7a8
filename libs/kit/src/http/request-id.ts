// Names one request in answers and logs.
import { randomUUID } from 'node:crypto';

export const makeRequestId = (): string => `req_${randomUUID()}`;
