// Removes the parts of an answer that differ per request, so that a test can compare two answers.

const perRequest = ['date', 'connection', 'keep-alive', 'x-request-id', 'content-length'];

export function presentAnswer(status: number, headers: [string, unknown][], body: string): string {
  const compared = headers
    .filter(([name]) => !perRequest.includes(name))
    .map(([name, value]) => `${name}: ${value}`)
    .sort();
  return [status, ...compared, body.replace(/"request_id":"[^"]*"/, '"request_id":""')].join('\n');
}
