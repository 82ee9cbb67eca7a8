// Runs a ledger on the given database and submits the orders that the parent process sends.
import { fileURLToPath } from 'node:url';
import { createViteServer } from 'vitest/node';

const root = fileURLToPath(new URL('../../../../..', import.meta.url));
// Loads the TypeScript sources through Vite, as the tests do.
const vite = await createViteServer({
  root,
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  optimizeDeps: { noDiscovery: true, include: [] },
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  resolve: {
    alias: [{ find: /^@counterfoil\/kit\/(.*)$/, replacement: `${root}/libs/kit/src/$1.ts` }],
  },
});
const load = (path) => vite.ssrLoadModule(`/services/wallet/server/src/ledger/${path}.ts`);
const { openLedgerDb } = await load('open-ledger-db');
const { createLedger } = await load('engine/ledger');

const silent = { warn: () => {} };
const ledger = createLedger({ db: openLedgerDb({ url: process.argv[2], logger: silent }) });

process.on('message', ({ id, order }) => {
  ledger.submit(order).then(
    (receipt) => process.send({ id, answered: receipt ?? 'no account' }),
    (error) => process.send({ id, answered: error.code ?? 'internal_error' }),
  );
});
process.on('disconnect', () => process.exit());
process.send('ready');
