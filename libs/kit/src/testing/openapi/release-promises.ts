// Reads and writes the API that a release promises, in files such as
// docs/reference/openapi/licensing-0.1.0.json.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { OpenApiDocument } from '../../http/openapi/document.ts';
import { makePromise } from './openapi-breaks.ts';

type Service = 'licensing' | 'wallet';

const root = new URL('../../../../../', import.meta.url);
const folder = new URL('docs/reference/openapi/', root);

const numbersOf = (file: string) => (/-(\d+)\.(\d+)\.(\d+)\.json$/.exec(file) ?? []).slice(1).map(Number);

/** Returns the API that the newest release promises. */
export function readLastPromise(service: Service): OpenApiDocument {
  const [last] = readdirSync(folder)
    .filter((file) => file.startsWith(`${service}-`))
    .sort((a, b) => compare(numbersOf(b), numbersOf(a)));
  if (last === undefined) throw new Error(`no release of ${service} has a promise in docs/reference/openapi`);
  return JSON.parse(readFileSync(new URL(last, folder), 'utf8')) as OpenApiDocument;
}

const compare = (a: readonly number[], b: readonly number[]) =>
  a.map((each, i) => each - (b[i] ?? 0)).find((each) => each !== 0) ?? 0;

/** Writes the API that the version in package.json promises. If the file exists, it is not changed. */
export function keepPromise(service: Service, document: OpenApiDocument): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  const file = new URL(`${service}-${version}.json`, folder);
  if (existsSync(file)) return `docs/reference/openapi/${service}-${version}.json exists already`;
  const { paths } = makePromise(document);
  const lines = Object.entries(paths).map(
    ([path, operations]) => `  ${JSON.stringify(path)}: ${JSON.stringify(operations)}`,
  );
  const info = JSON.stringify({ title: service, version });
  const head = `{\n"openapi": "3.1.0",\n"info": ${info},\n"paths": {\n`;
  writeFileSync(file, `${head}${lines.join(',\n')}\n}\n}\n`);
  return `docs/reference/openapi/${service}-${version}.json is written`;
}
