// The id of a request, and values that a hook stores for the handlers of the same request.
import { randomUUID } from 'node:crypto';

/** Creates a store for one value per request. `name` appears in the error that `get` throws. */
export function createRequestContext<Value extends object>(name: string) {
  const values = new WeakMap<object, Value>();
  return {
    set: (request: object, value: Value): void => void values.set(request, value),
    find: (request: object) => values.get(request),
    /**
     * Returns the value. Throws if no hook has set it, because the route was then registered without its
     * hook.
     */
    get: (request: object): Value => {
      const value = values.get(request);
      if (!value) throw new Error(`this route has no hook that sets the ${name}`);
      return value;
    },
  };
}

export const makeRequestId = (): string => `req_${randomUUID()}`;
