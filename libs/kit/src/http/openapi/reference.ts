// What a service's reference says beyond its schemas: what names mean, which errors, real calls.
import type { ErrorTable } from '../errors.ts';

/** A call that was really made, and what it was answered. */
export interface Example {
  /** `POST /api/v1/items`, as the document names it. */
  readonly operation: string;
  readonly request: {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  readonly status: number;
  readonly answer: unknown;
}

export interface Reference {
  readonly errors: ErrorTable;
  /** What a name means wherever its schema does not say; `parent.name` goes before `name`. */
  readonly glossary: Readonly<Record<string, string>>;
  /** What an operation does beyond its summary, where its schema does not say; named as below. */
  readonly descriptions: Readonly<Record<string, string>>;
  /** What the guard of a security scheme may answer. */
  readonly guards: Readonly<Record<string, readonly string[]>>;
  /** What a part of the path brings along: `{item_id}` may name nothing. */
  readonly pathErrors: Readonly<Record<string, readonly string[]>>;
  /** `POST /purchases` is every operation whose path ends so; the longest name counts. */
  readonly operationErrors: Readonly<Record<string, readonly string[]>>;
  readonly examples: readonly Example[];
  /** Fields beside `data` that an operation's errors carry too, where they are known. */
  readonly onErrorsToo?: readonly string[];
}

/** What of an operation decides which errors it has in common with others. */
export interface OperationTraits {
  readonly security: readonly string[];
  readonly hasParameters: boolean;
  readonly hasBody: boolean;
}

const always = ['internal_error', 'overloaded', 'unavailable'];
const ofBodies = ['invalid_body', 'body_too_large', 'unsupported_media_type'];

export function findName(operation: string, names: readonly string[]): string | undefined {
  const [method, path = ''] = operation.split(' ');
  return names
    .filter((name) => {
      const [wanted, end = ''] = name.split(' ');
      return wanted === method && path.endsWith(end);
    })
    .sort((a, b) => b.length - a.length)[0];
}

/** Of the operation itself and of the parts of its path. */
function listOwnErrors(
  operation: string,
  { operationErrors, pathErrors }: Pick<Reference, 'operationErrors' | 'pathErrors'>,
): string[] {
  const name = findName(operation, Object.keys(operationErrors));
  const parts = Object.entries(pathErrors).filter(([part]) => operation.includes(part));
  const own = name === undefined ? undefined : operationErrors[name];
  return [...(own ?? []), ...parts.flatMap(([, codes]) => codes)];
}

/** What changes something by session must come from the panel itself. */
const isGuardedChange = (operation: string) => /^(?!GET |HEAD )[A-Z]+ \/panel\//.test(operation);

/** Every code that an operation may answer, each once, in the order of the table. */
export function listErrorCodes(
  operation: string,
  traits: OperationTraits,
  reference: Pick<Reference, 'errors' | 'guards' | 'pathErrors' | 'operationErrors'>,
): string[] {
  const codes = new Set([
    ...always,
    ...(traits.hasParameters || traits.hasBody ? ['invalid_parameter'] : []),
    ...(traits.hasBody ? ofBodies : []),
    ...(isGuardedChange(operation) ? ['cross_site_refused'] : []),
    ...traits.security.flatMap((scheme) => reference.guards[scheme] ?? []),
    ...listOwnErrors(operation, reference),
  ]);
  return Object.keys(reference.errors).filter((code) => codes.has(code));
}
