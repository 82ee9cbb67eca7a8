// Compiles the routes' schemas when they are first needed, so that a restarted service answers sooner.
import AjvCompiler from '@fastify/ajv-compiler';
import SerializerSelector from '@fastify/fast-json-stringify-compiler';

type ValidatorFactory = ReturnType<typeof AjvCompiler>;
type SerializerFactory = ReturnType<typeof SerializerSelector>;
type Compiled = (data: unknown) => unknown;

export interface LateCompilers {
  /** For Fastify, which asks for every schema of every route before it listens. */
  readonly factory: { buildValidator: ValidatorFactory; buildSerializer: SerializerFactory };
  /** Compiles one that is still waiting; false when there is none. */
  compileNext(): boolean;
  /** Compiles nothing ahead of its use any more: the service is closing. */
  stop(): void;
}

/**
 * Half of a start went into schemas, most of which the first requests do not need. A header's name
 * must be in lower case in a schema, because Fastify leaves the schemas of a given compiler alone.
 */
export function createLateCompilers(): LateCompilers {
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
    factory: {
      buildValidator: ((schemas, options) => {
        const compile = later(() => AjvCompiler()(schemas, options));
        return (route: never) => lateValidator(later(() => compile()(route) as Compiled));
      }) as ValidatorFactory,
      buildSerializer: ((schemas, options) => {
        const compile = later(() => SerializerSelector()(schemas, options));
        return (route) => {
          const get = later(() => compile()(route));
          return (data) => get()(data);
        };
      }) as SerializerFactory,
    },
    compileNext: () => {
      const [next] = waiting;
      next?.();
      return next !== undefined;
    },
    stop: () => waiting.clear(),
  };
}

/** What was wrong stands on the function itself, as the compiled one has it. */
function lateValidator(get: () => Compiled) {
  const validate = (data: unknown) => {
    const compiled = get() as Compiled & { errors?: unknown };
    const verdict = compiled(data);
    validate.errors = compiled.errors;
    return verdict;
  };
  validate.errors = undefined as unknown;
  return validate;
}
