// Reads and writes the file with the OpenAPI document of a service. Linters and other tools read this file.
import { readFileSync, writeFileSync } from 'node:fs';
import type { OpenApiDocument } from '../../http/openapi/document.ts';
import { escapeUnseen } from '../../http/openapi/document.ts';

type Service = 'licensing' | 'wallet';

const fileOf = (service: Service) =>
  new URL(`../../../../../services/${service}/server/reference/openapi.json`, import.meta.url);

export const readDocumentFile = (service: Service): string => readFileSync(fileOf(service), 'utf8');

export const writeDocumentFile = (service: Service, document: OpenApiDocument): void =>
  writeFileSync(fileOf(service), formatDocument(document));

/**
 * Formats the document with one line per path, webhook and component, so that a diff shows each change as one
 * line.
 */
export const formatDocument = (document: OpenApiDocument): string =>
  `${escapeUnseen(formatLevels(document, 2))}\n`;

function formatLevels(value: unknown, levels: number): string {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject || levels < 0) return JSON.stringify(value);
  const lines = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}: ${formatLevels(each, key === 'info' ? -1 : levels - 1)}`,
  );
  return `{\n${lines.join(',\n')}\n}`;
}
