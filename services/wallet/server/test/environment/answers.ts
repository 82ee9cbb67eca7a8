// An answer without the parts that differ per request, so that two answers can be compared.

const perRequest = ['date', 'connection', 'keep-alive', 'x-request-id', 'content-length'];

export function presentAnswer(status: number, headers: [string, unknown][], body: string): string {
  const compared = headers
    .filter(([name]) => !perRequest.includes(name))
    .map(([name, value]) => `${name}: ${value}`)
    .sort();
  return [status, ...compared, body.replace(/"request_id":"[^"]*"/, '"request_id":""')].join('\n');
}
