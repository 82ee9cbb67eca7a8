// The baseline for large answers: Node's HTTP server, which answers every request with the same body.
import { createServer } from 'node:http';

const body = Buffer.alloc(Number(process.env.BYTES), 'x');

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.({ ready: true }));
process.once('SIGTERM', () => process.exit(0));
