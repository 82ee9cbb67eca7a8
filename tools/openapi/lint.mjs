// Checks OpenAPI documents with the recommended rules of Spectral and Redocly. Neither tool uses the network.
// Usage: `node tools/openapi/lint.mjs services/wallet/server/reference/openapi.json …`.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import core from '@stoplight/spectral-core';
import parsers from '@stoplight/spectral-parsers';
import rulesets from '@stoplight/spectral-rulesets';

const severities = ['error', 'warning', 'information', 'hint'];

async function runSpectral(file, text) {
  const spectral = new core.Spectral();
  spectral.setRuleset({ extends: [[rulesets.oas, 'recommended']] });
  const found = await spectral.run(new core.Document(text, parsers.Json, file));
  return found.map(({ code, message, path, severity }) => ({
    rule: `spectral ${code}`,
    severity: severities[severity],
    message,
    location: path.join(' › '),
  }));
}

async function runRedocly(file, text) {
  const config = await createConfig({ extends: ['recommended'] });
  const absoluteRef = pathToFileURL(resolve(file)).href;
  const found = await lintFromString({ source: text, absoluteRef, config });
  return found.map(({ ruleId, message, severity, location }) => ({
    rule: `redocly ${ruleId}`,
    severity: severity === 'warn' ? 'warning' : severity,
    message,
    location: location[0]?.pointer ?? '',
  }));
}

let failed = false;
for (const file of process.argv.slice(2)) {
  const text = await readFile(file, 'utf8');
  const problems = [...(await runSpectral(file, text)), ...(await runRedocly(file, text))];
  const errors = problems.filter(({ severity }) => severity === 'error');
  for (const { rule, message, location } of errors) {
    process.stderr.write(`${file}: ${rule}: ${message} (${location})\n`);
  }
  failed ||= errors.length > 0;
}
if (failed) process.exit(1);
