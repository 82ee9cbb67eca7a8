// The operations of a service from its OpenAPI document.

export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface Operation {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The name of the operation in test titles, such as `GET /api/items/all`. */
  readonly title: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
  /** The security schemes in the first security requirement of the operation; empty if it has none. */
  readonly security: readonly string[];
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

interface DocumentedOperation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses?: Readonly<Record<string, Content>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

export function getOperation(document: OpenApiDocument, title: string): Operation {
  const found = listOperations(document).find((operation) => operation.title === title);
  if (!found) throw new Error(`the document has no ${title}`);
  return found;
}

const tenantPrefix = /^\/panel\/\w+\/\{\w+\}\//;

/**
 * The POST operation with this path. The path of a tenant's operation is given without the tenant's prefix.
 */
export function getPost(document: OpenApiDocument, path: string): Operation {
  const found = listOperations(document).find(
    (each) => each.method === 'POST' && each.path.replace(tenantPrefix, '') === path,
  );
  if (!found) throw new Error(`the document has no POST ${path}`);
  return found;
}

export function listOperations(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]): Operation => {
      const upper = method.toUpperCase() as Operation['method'];
      return {
        method: upper,
        path,
        title: `${upper} ${path}`,
        parameters: documented.parameters ?? [],
        ...(documented.requestBody && { requestBody: documented.requestBody }),
        responses: documented.responses ?? {},
        security: Object.keys(documented.security?.[0] ?? {}),
      };
    }),
  );
}
