// How operations under /api/v1 are called: which are sent again in doubt, and which amounts as numbers.
import { writeAmounts } from '../../sdk-shared/src/amount.ts';
import type { Call, CallOptions, Send } from '../../sdk-shared/src/call.ts';
import { amountFields } from './wire.ts';

export type Id = number | string;

/** `once`: not sent again where the first copy may have been applied. */
export type Repeat = 'again' | 'once';

export const createManaged = (send: Send) => ({
  read: <Answer>(path: string, query: object = {}, options?: CallOptions) =>
    send<Answer>({ method: 'GET', path, query, repeatable: true }, options),
  write: async <Answer>(
    call: Pick<Call, 'method' | 'path' | 'headers' | 'idempotencyKey'> & {
      readonly repeat: Repeat;
      readonly json?: object;
    },
    options?: CallOptions,
  ) => {
    const { repeat, json, ...rest } = call;
    const body = json && { json: writeAmounts(json, amountFields) };
    return await send<Answer>({ ...rest, ...body, repeatable: repeat === 'again' }, options);
  },
});

/** One step of a path, whatever it holds. */
export const step = (part: Id) => encodeURIComponent(String(part));
