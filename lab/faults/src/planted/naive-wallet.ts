// A small wallet with the bug that PLANTED names, to test whether the checker finds the bug.
import { createServer, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { type Asked, move } from './naive-ledger.ts';

const pool = new pg.Pool({ connectionString: process.env.WALLET_DATABASE_URL, max: 16 });
pool.on('error', () => {});
let reads = 0;

async function readBody(request: IncomingMessage): Promise<ReturnType<typeof JSON.parse>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return parts.length === 0 ? {} : JSON.parse(Buffer.concat(parts).toString());
}

async function answer(request: IncomingMessage): Promise<{ status: number; body: object }> {
  const uid = String(request.headers['x-uid']);
  const url = new URL(request.url ?? '/', 'http://wallet');
  if (url.pathname === '/api/v1/user/balance') {
    if (process.env.PLANTED === 'failing-reads' && ++reads % 3 === 0) {
      return { status: 500, body: { code: 'internal_error' } };
    }
    const { rows } = await pool.query<{ balance: string }>(
      `select a.balance from players l join packages p on p.id = l.package_id
       join accounts a on a.package_id = l.package_id and a.id = l.account_id
       where p.uid = $1 and l.player_id = $2`,
      [uid, url.searchParams.get('player_id')],
    );
    return { status: 200, body: { data: { balance: Number(rows[0]?.balance) / 100 } } };
  }
  const body = await readBody(request);
  const asked: Asked = {
    uid,
    player: body.player_id,
    type: body.type,
    amount: body.amount,
    id: body.transaction_id,
  };
  const client = await pool.connect();
  try {
    return await move(client, asked, process.env.PLANTED ?? '');
  } finally {
    client.release();
  }
}

const server = createServer((request, response) => {
  answer(request)
    .catch((error: Error) => ({
      status: 503,
      body: { code: 'outcome_unknown', msg: error.message },
    }))
    .then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' });
      response.end(JSON.stringify(body));
    });
});

server.listen(Number(process.env.WALLET_PORT), '127.0.0.1', () => process.send?.('ready'));
process.once('disconnect', () => process.exit());
