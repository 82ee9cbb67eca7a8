// Runs a collection that was imported from an OpenAPI document, and prints the answer to each request.
import { readFileSync } from 'node:fs';
import newman from 'newman';

const { collection, variables, headers } = JSON.parse(process.argv[2]);
const answers = [];
newman
  .run({
    collection: JSON.parse(readFileSync(collection, 'utf8')),
    envVar: Object.entries(variables).map(([key, value]) => ({ key, value })),
    reporters: [],
    timeoutRequest: 60_000,
  })
  // Postman stores one credential per request; this adds the other two credentials of the wallet.
  .on('beforeRequest', (_error, { request }) => {
    for (const [name, value] of Object.entries(headers)) request.headers.upsert({ key: name, value });
  })
  .on('request', (error, { item, request, response }) => {
    const path = request.url.getPath();
    const text = response?.stream.toString() ?? '';
    const answer = { name: item.name, method: request.method, path, status: response?.code };
    answers.push({ ...answer, error: error?.message, text: text.slice(0, 300) });
  })
  .on('done', (error) => {
    if (error) throw error;
    process.stdout.write(JSON.stringify(answers));
  });
