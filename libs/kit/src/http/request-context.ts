// The id of a request, and values that a hook stores for the handlers of the same request.
import { randomUUID } from 'node:crypto';

export interface RequestContext<Value> {
  set(request: object, value: Value): void;
  find(request: object): Value | undefined;
  /** Throws if no hook has set the value, because the route was registered without its hook. */
  get(request: object): Value;
}

/** `name` appears in the error of `get`. */
export function createRequestContext<Value extends object>(name: string): RequestContext<Value> {
  const values = new WeakMap<object, Value>();
  return {
    set: (request, value) => {
      values.set(request, value);
    },
    find: (request) => values.get(request),
    get: (request) => {
      const value = values.get(request);
      if (!value) throw new Error(`this route has no hook that sets the ${name}`);
      return value;
    },
  };
}

export const makeRequestId = (): string => `req_${randomUUID()}`;
