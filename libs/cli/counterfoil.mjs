#!/usr/bin/env node
// Runs `npx counterfoil …` inside a clone through run.mjs, which installs packages and builds if necessary.
process.argv.splice(2, 0, 'counterfoil');
await import('../../run.mjs');
