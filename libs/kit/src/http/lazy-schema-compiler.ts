// Compiles the schemas of routes on first use, so that a restarted service answers sooner.
import AjvCompiler from '@fastify/ajv-compiler';
import SerializerSelector from '@fastify/fast-json-stringify-compiler';

type ValidatorFactory = ReturnType<typeof AjvCompiler>;
type SerializerFactory = ReturnType<typeof SerializerSelector>;
type Compiled = (data: unknown) => unknown;

export type LazySchemaCompiler = ReturnType<typeof createLazySchemaCompiler>;

/**
 * Compiles schemas lazily. Compiling all schemas at the start took half of the start time, and the first
 * requests need only a few schemas. Write header names in schemas in lower case, because Fastify does not
 * convert them for a custom compiler.
 */
export function createLazySchemaCompiler() {
  const waiting = new Set<() => void>();
  const later = <T>(compile: () => T): (() => T) => {
    let compiled: { readonly done: T } | undefined;
    const get = () => {
      waiting.delete(get);
      compiled ??= { done: compile() };
      return compiled.done;
    };
    waiting.add(get);
    return get;
  };
  return {
    /**
     * The factory that is passed to Fastify. Before Fastify listens, it asks the factory for a validator of
     * every schema.
     */
    factory: {
      buildValidator: ((schemas, options) => {
        const compile = later(() => AjvCompiler()(schemas, options));
        return (route: never) => lazyValidator(later(() => compile()(route) as Compiled));
      }) as ValidatorFactory,
      buildSerializer: ((schemas, options) => {
        const compile = later(() => SerializerSelector()(schemas, options));
        return (route) => {
          const get = later(() => compile()(route));
          return (data) => get()(data);
        };
      }) as SerializerFactory,
    },
    /** Compiles one schema that was not used yet. Returns false if all schemas are compiled. */
    compileNext: () => {
      const [next] = waiting;
      next?.();
      return next !== undefined;
    },
    /**
     * Ends the compilation in the background: from now on, a schema is compiled only on its first use. Called
     * when the service closes.
     */
    stop: () => waiting.clear(),
  };
}

/**
 * Returns a validator that compiles its schema on first use. Fastify reads the errors of the last call from
 * the property `errors` of the validator. Ajv sets this property on the compiled function, so the validator
 * copies it.
 */
function lazyValidator(get: () => Compiled) {
  const validate = (data: unknown) => {
    const compiled = get() as Compiled & { errors?: unknown };
    const verdict = compiled(data);
    validate.errors = compiled.errors;
    return verdict;
  };
  validate.errors = undefined as unknown;
  return validate;
}
