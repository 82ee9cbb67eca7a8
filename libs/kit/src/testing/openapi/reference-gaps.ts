// Finds gaps in the OpenAPI document of a service, and describes each gap with its correction.
import { transportErrors } from '../../http/errors.ts';
import {
  listOperations,
  type OpenApiDocument,
  type Operation,
  type Schema,
} from '../../http/openapi/document.ts';
import { inlineSchemas } from '../../http/openapi/name-schemas.ts';
import { findName, type Reference } from '../../http/openapi/reference.ts';

export interface GapSettings {
  readonly reference: Reference;
  /** Whether clients call the operation. Such an operation needs a description and an example. */
  readonly isForOthers: (name: string, operation: Operation) => boolean;
  /** Errors of the error table that only CLI commands report. No operation lists these errors. */
  readonly onlyCommands: readonly string[];
}

export function findReferenceGaps(document: OpenApiDocument, settings: GapSettings): string[] {
  const operations = listOperations(inlineSchemas(document));
  return [
    ...operations.flatMap(([name, operation]) => [
      ...findUntold(name, operation),
      ...findEndless(name, operation),
      ...(settings.isForOthers(name, operation) ? findUnshown(name, operation) : []),
    ]),
    ...findErrorGaps(operations, settings),
    ...findIdleNames(operations, settings.reference),
  ];
}

function findUntold(name: string, { summary, parameters = [], ...rest }: Operation): string[] {
  const contents = [
    ...Object.entries(rest.requestBody?.content ?? {}),
    ...Object.values(rest.responses ?? {}).flatMap((each) => Object.entries(each.content ?? {})),
  ];
  const untold = [
    ...parameters.filter((each) => !each.description).map((each) => `?${each.name}`),
    ...contents.flatMap(([, { schema }]) => (schema ? listUntoldFields(schema, '') : [])),
  ];
  return [
    ...(summary ? [] : [`${name} has no summary: give its schema one`]),
    ...[...new Set(untold)].map(
      (field) => `${name}: ${field} has no description: give its schema one, or the glossary`,
    ),
  ];
}

function listUntoldFields(schema: Schema, path: string): string[] {
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...(field.description ? [] : [`${path}${name}`]),
      ...listUntoldFields(field, `${path}${name}.`),
    ]),
    ...(items ? listUntoldFields(items, path) : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((each) => listUntoldFields(each, path)),
  ];
}

/** Finds numbers without a maximum, which could exceed the range of their column. */
function findEndless(name: string, { parameters = [], requestBody }: Operation): string[] {
  const fields = [
    ...parameters.flatMap((each) => listEndlessFields(each.schema ?? {}, `?${each.name}`)),
    ...Object.values(requestBody?.content ?? {}).flatMap(({ schema = {} }) => listEndlessFields(schema, '')),
  ];
  return [...new Set(fields)].map((field) => `${name}: ${field} has no maximum: give it one`);
}

function listEndlessFields(schema: Schema, path: string): string[] {
  const { type = [], properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema;
  const isEndless = [type].flat().includes('integer') && schema.maximum === undefined;
  return [
    ...(isEndless ? [path] : []),
    ...Object.entries(properties).flatMap(([name, field]) =>
      listEndlessFields(field, path === '' ? name : `${path}.${name}`),
    ),
    ...[...(items ? [items] : []), ...anyOf, ...oneOf, ...allOf].flatMap((each) =>
      listEndlessFields(each, path),
    ),
  ];
}

/** Finds a missing description and a missing example. An example needs the request body and the answer. */
function findUnshown(name: string, { description, requestBody, responses = {} }: Operation) {
  const isShown = (content: Operation['requestBody']) =>
    !content?.content || Object.values(content.content).some((each) => each.example !== undefined);
  const answers = Object.entries(responses).filter(([status]) => /^2/.test(status));
  const hasAnswer = answers.some(([, answer]) => answer.content && isShown(answer));
  const hint = 'add the call to reference/examples.json, then run npm run openapi';
  return [
    ...(description ? [] : [`${name} has no description: give its schema one`]),
    ...(hasAnswer && isShown(requestBody) ? [] : [`${name} has no example: ${hint}`]),
  ];
}

/** Finds codes of the error table that no operation lists, and listed codes that do not exist. */
function findErrorGaps(
  operations: readonly [string, Operation][],
  { reference, onlyCommands }: GapSettings,
): string[] {
  const names = operations.map(([name]) => name);
  const listed = new Set(
    operations.flatMap(([, { responses = {} }]) => Object.values(responses).flatMap(listAnsweredCodes)),
  );
  const { errors, guards, pathErrors, operationErrors } = reference;
  const used = new Set(names.map((name) => findName(name, Object.keys(operationErrors))));
  const named = [guards, pathErrors, operationErrors].flatMap((each) => Object.values(each).flat());
  const exempt = new Set([...Object.keys(transportErrors), ...onlyCommands]);
  return [
    ...Object.keys(errors)
      .filter((code) => !listed.has(code) && !exempt.has(code))
      .map((code) => `${code} is listed at no operation: list it in errors-by-operation.ts`),
    ...named.filter((code) => !errors[code]).map((code) => `${code} is not in the error table`),
    ...Object.keys(operationErrors)
      .filter((name) => !used.has(name))
      .map((name) => `errors are listed for ${name}, which does not exist`),
    ...Object.keys(pathErrors)
      .filter((part) => !names.some((name) => name.includes(part)))
      .map((part) => `errors are listed for ${part}, which is in no path`),
    ...reference.examples
      .filter(({ operation }) => !names.includes(operation))
      .map(({ operation }) => `there is an example of ${operation}, which does not exist`),
  ];
}

/** Returns the error codes of one answer of an operation. */
export const listAnsweredCodes = (answer: {
  content?: Readonly<Record<string, { schema?: Schema }>>;
}): string[] =>
  (answer.content?.['application/json']?.schema?.allOf ?? []).flatMap((part) =>
    (part.properties?.code?.enum ?? []).map(String),
  );

/** Finds glossary entries that no field and no parameter uses. */
function findIdleNames(operations: readonly [string, Operation][], { glossary }: Reference): string[] {
  const names = new Set<string>();
  const collect = (schema: Schema, parent: string): void => {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      names.add(name).add(`${parent}.${name}`);
      collect(field, name);
    }
    const { items, anyOf = [], oneOf = [] } = schema;
    for (const part of [...(items ? [items] : []), ...anyOf, ...oneOf]) collect(part, parent);
  };
  for (const [, { parameters = [], requestBody, responses = {} }] of operations) {
    for (const { name } of parameters) names.add(name).add(`?${name}`);
    for (const { content = {} } of [requestBody ?? {}, ...Object.values(responses)]) {
      for (const { schema } of Object.values(content)) if (schema) collect(schema, '');
    }
  }
  return Object.keys(glossary)
    .filter((word) => !names.has(word))
    .map((word) => `the glossary explains ${word}, which is the name of no field`);
}
