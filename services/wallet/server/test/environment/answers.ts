// An answer without the parts that differ every time, so that two can be compared.

const ofItsOwn = ['date', 'connection', 'keep-alive', 'x-request-id', 'content-length'];

export function presentAnswer(status: number, headers: [string, unknown][], body: string): string {
  const compared = headers
    .filter(([name]) => !ofItsOwn.includes(name))
    .map(([name, value]) => `${name}: ${value}`)
    .sort();
  return [status, ...compared, body.replace(/"request_id":"[^"]*"/, '"request_id":""')].join('\n');
}
