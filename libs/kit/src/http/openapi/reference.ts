// The parts of a service's API reference that are not in its schemas: descriptions, errors, examples.
import type { ErrorTable } from '../errors.ts';

/** A recorded call and its answer. */
export interface Example {
  /** The method and the path as in the document, such as `POST /api/v1/items`. */
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
  /**
   * Descriptions of fields whose schema has no description. A key such as `parent.name` takes precedence over
   * `name`.
   */
  readonly glossary: Readonly<Record<string, string>>;
  /**
   * Descriptions of operations whose schema has no description. The keys have the same form as in
   * `operationErrors`.
   */
  readonly descriptions: Readonly<Record<string, string>>;
  /** The error codes of each security scheme. */
  readonly guards: Readonly<Record<string, readonly string[]>>;
  /** The error codes of operations with this path parameter, such as `item_not_found` for `{item_id}`. */
  readonly pathErrors: Readonly<Record<string, readonly string[]>>;
  /**
   * The error codes of operations. The key `POST /purchases` matches every path that ends with `/purchases`.
   * The longest matching key applies.
   */
  readonly operationErrors: Readonly<Record<string, readonly string[]>>;
  readonly examples: readonly Example[];
  /** Top-level fields that error answers also contain if their values are known. */
  readonly onErrorsToo?: readonly string[];
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

/** The errors that the reference lists for the operation and for the parameters in its path. */
function listOwnErrors(
  operation: string,
  { operationErrors, pathErrors }: Pick<Reference, 'operationErrors' | 'pathErrors'>,
): string[] {
  const name = findName(operation, Object.keys(operationErrors));
  const parts = Object.entries(pathErrors).filter(([part]) => operation.includes(part));
  const own = name === undefined ? undefined : operationErrors[name];
  return [...(own ?? []), ...parts.flatMap(([, codes]) => codes)];
}

/** Whether a panel operation changes data. Requests that change data must come from the panel itself. */
const isGuardedChange = (operation: string) => /^(?!GET |HEAD )[A-Z]+ \/panel\//.test(operation);

/**
 * Lists all error codes of an operation, in the order of the error table. The errors that many operations
 * share follow from `traits`.
 */
export function listErrorCodes(
  operation: string,
  traits: { security: readonly string[]; hasParameters: boolean; hasBody: boolean },
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
