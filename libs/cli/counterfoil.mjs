#!/usr/bin/env node
// `npx counterfoil …` inside a clone: through run.mjs, which installs and builds what is missing.
process.argv.splice(2, 0, 'counterfoil');
await import('../../run.mjs');
