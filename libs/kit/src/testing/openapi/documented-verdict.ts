// Tells whether a service's OpenAPI document allows a request. Tests compare this with the service's answer.
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenApiDocument, Parameter, Schema } from '../../http/openapi/document.ts';
import { inlineSchemas } from '../../http/openapi/name-schemas.ts';

export interface DocumentedRequest {
  /** `GET /api/items/all`, as the document names it. */
  readonly operation: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** What travels as text is read as the number that the document tells, where it is written as one. */
const readText = ({ type }: Schema, text: string): unknown =>
  type === 'integer' && /^-?[0-9]+$/.test(text) ? Number(text) : text;

export function isDocumented(document: OpenApiDocument, request: DocumentedRequest): boolean {
  const { operation: name, query = {}, headers = {}, body } = request;
  const [method = '', path = ''] = name.split(' ');
  const operation = inlineSchemas(document).paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`the document has no ${name}`);
  const isAllowed = ({ in: place, name: own, schema = {}, required }: Parameter) => {
    const given = { query, header: headers }[place as 'query' | 'header']?.[own];
    return given === undefined ? !required : ajv.validate(schema, readText(schema, given));
  };
  const parameters = (operation.parameters ?? []).filter((each) => each.in !== 'path');
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  return (
    parameters.every(isAllowed) &&
    (schema === undefined || body === undefined || ajv.validate(schema, body))
  );
}
