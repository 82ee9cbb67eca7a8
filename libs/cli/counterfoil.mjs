#!/usr/bin/env node
// `npx counterfoil …` inside a clone. It runs run.mjs, which installs packages and builds if necessary.
process.argv.splice(2, 0, 'counterfoil');
await import('../../run.mjs');
