// Completes an operation of the document: descriptions of fields, error answers and examples.
import {
  type Content,
  mapValues,
  type Operation,
  type Parameter,
  type Response,
  type Schema,
} from './document.ts';
import { type Example, findName, listErrorCodes, type Reference } from './reference.ts';

/** The reference to the error shape in the components of the document. */
const errorShape = { $ref: '#/components/schemas/Error' };

export function completeOperation(name: string, operation: Operation, reference: Reference): Operation {
  const { glossary } = reference;
  const examples = reference.examples.filter((each) => each.operation === name);
  const { requestBody, parameters } = operation;
  const describedName = findName(name, Object.keys(reference.descriptions)) ?? '';
  const description = operation.description ?? reference.descriptions[describedName];
  const successes = completeSuccesses(operation.responses ?? {}, glossary, examples);
  return {
    ...operation,
    ...(description !== undefined && { description }),
    ...(parameters && {
      parameters: parameters.map((each) => completeParameter(each, glossary, examples[0])),
    }),
    ...(requestBody?.content && {
      requestBody: {
        ...requestBody,
        content: completeContent(requestBody.content, glossary, examples[0]?.request.body),
      },
    }),
    responses: {
      ...successes,
      ...keepOtherTypes(
        listRefusals(name, { ...operation, responses: successes }, reference),
        operation.responses ?? {},
      ),
    },
  };
}

/**
 * Adds the content types that the route itself declares for the status of an error answer. For example, a
 * route may declare an HTML page; the document then lists the page and the JSON error.
 */
const keepOtherTypes = (
  refusals: Readonly<Record<string, Response>>,
  declared: Readonly<Record<string, Response>>,
): Record<string, Response> =>
  mapValues(refusals, (each, status) => ({
    ...each,
    content: { ...declared[status]?.content, ...each.content },
  }));

function completeParameter(
  parameter: Parameter,
  glossary: Reference['glossary'],
  example: Example | undefined,
): Parameter {
  const { name, in: place, schema } = parameter;
  const { path, query, headers } = example?.request ?? {};
  const given = { path, query, header: headers }[place as 'path' | 'query' | 'header']?.[name];
  const ownDescription = parameter.description ?? schema?.description ?? glossary[`?${name}`];
  const description = ownDescription ?? glossary[name];
  return {
    ...parameter,
    ...(description !== undefined && { description }),
    // The example contains every parameter as text, as in a URL. The document shows an integer as a number.
    ...(given !== undefined && { example: schema?.type === 'integer' ? Number(given) : given }),
  };
}

const completeContent = (
  content: Readonly<Record<string, Content>>,
  glossary: Reference['glossary'],
  example: unknown,
): Record<string, Content> =>
  Object.fromEntries(
    Object.entries(content).map(([type, each], i) => [
      type,
      {
        ...each,
        ...(each.schema && { schema: describe(each.schema, glossary, '') }),
        // The first content type is the preferred one. Only this type gets the example.
        ...(example !== undefined && i === 0 && { example }),
      },
    ]),
  );

const isSuccess = (status: string) => /^[123]\d\d$/.test(status);

function completeSuccesses(
  responses: Readonly<Record<string, Response>>,
  glossary: Reference['glossary'],
  examples: readonly Example[],
): Record<string, Response> {
  const entries = Object.entries(responses).filter(([status]) => isSuccess(status));
  return Object.fromEntries(
    entries.map(([status, { description, content, ...rest }]) => {
      const example = examples.find((each) => String(each.status) === status)?.answer;
      const isDescribed = description !== undefined && description !== 'Default Response';
      return [
        status,
        {
          ...rest,
          description: isDescribed ? description : 'Done.',
          ...(content && { content: completeContent(content, glossary, example) }),
        },
      ];
    }),
  );
}

/** Lists the error answers by status, each with its codes and messages. */
function listRefusals(name: string, operation: Operation, reference: Reference): Record<string, Response> {
  const security = (operation.security ?? []).flatMap((each) => Object.keys(each));
  const hasParameters = (operation.parameters ?? []).some((each) => each.in !== 'header');
  const hasBody = operation.requestBody !== undefined;
  const codes = listErrorCodes(name, { security, hasParameters, hasBody }, reference);
  const statusOf = (code: string) => String(reference.errors[code]?.status);
  const beside = listBesideData(operation, reference);
  return Object.fromEntries(
    [...new Set(codes.map(statusOf))].map((status) => [
      status,
      refusal(
        codes.filter((code) => statusOf(code) === status),
        reference,
        beside,
      ),
    ]),
  );
}

function listBesideData(
  { responses = {} }: Operation,
  { onErrorsToo = [] }: Reference,
): Record<string, Schema> {
  const fields = Object.entries(responses)
    .filter(([status]) => /^2/.test(status))
    .flatMap(([, { content }]) => Object.entries(content?.['application/json']?.schema?.properties ?? {}));
  return Object.fromEntries(fields.filter(([name]) => onErrorsToo.includes(name)));
}

/** Describes an error answer with one of these codes. */
export function refusal(
  codes: readonly string[],
  { errors }: Pick<Reference, 'errors'>,
  beside: Readonly<Record<string, Schema>> = {},
): Response {
  const sentences = codes.map((code) => `\`${code}\`: ${errors[code]?.msg}.`);
  const code = { type: 'string', enum: codes, description: 'Stable, for programs.' };
  const schema = { allOf: [errorShape, { type: 'object', properties: { code, ...beside } }] };
  return {
    description: sentences.join('\n'),
    content: { 'application/json': { schema } },
  };
}

/**
 * Adds descriptions to a copy of the schema. The original stays unchanged, because the route validates with
 * it.
 */
function describe(schema: Schema, glossary: Reference['glossary'], parent: string): Schema {
  const each = (part: readonly Schema[]) => part.map((one) => describe(one, glossary, parent));
  const { properties, items, anyOf, oneOf, allOf } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: mapValues(properties, (field, name) => {
        const description = explain(name, field, glossary, parent);
        return { ...describe(field, glossary, name), ...(description !== undefined && { description }) };
      }),
    }),
    ...(items && { items: describe(items, glossary, parent) }),
    ...(anyOf && { anyOf: each(anyOf) }),
    ...(oneOf && { oneOf: each(oneOf) }),
    ...(allOf && { allOf: each(allOf) }),
  };
}

/**
 * Returns the description of the schema. If it has none, returns the description of one of its alternatives,
 * or otherwise the description in the glossary.
 */
const explain = (
  name: string,
  { description, anyOf = [] }: Schema,
  glossary: Reference['glossary'],
  parent: string,
): string | undefined =>
  description ??
  anyOf.find((each) => each.description !== undefined)?.description ??
  glossary[`${parent}.${name}`] ??
  glossary[name];
