// Refuses unknown fields in request bodies, so that a misspelt field cannot change what a request does.
import type { App } from './app.ts';

interface Schema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Applies to every route registered later whose URL begins with one of the prefixes. */
export function refuseUnknownFields(
  app: App,
  given: { readonly below: readonly string[]; readonly except?: readonly string[] },
): void {
  const { below, except = [] } = given;
  app.addHook('onRoute', (route) => {
    const body = route.schema?.body as Schema | undefined;
    if (!body || except.includes(route.url)) return;
    if (!below.some((prefix) => route.url.startsWith(prefix))) return;
    route.schema = { ...route.schema, body: closeObjects(body) };
  });
}

/** An object schema that says itself whether it takes other fields keeps what it says. */
function closeObjects(schema: Schema): Schema {
  const { properties, items, anyOf, additionalProperties } = schema;
  if (!properties && !items && !anyOf) return schema;
  return {
    ...schema,
    ...(properties && {
      additionalProperties: additionalProperties ?? false,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, closeObjects(each)]),
      ),
    }),
    ...(items && { items: closeObjects(items) }),
    ...(anyOf && { anyOf: anyOf.map(closeObjects) }),
  };
}
