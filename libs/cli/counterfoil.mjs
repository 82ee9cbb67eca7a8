#!/usr/bin/env node
// Makes `npx counterfoil …` work inside a clone: starts run.mjs, which installs packages and builds if
// necessary.
process.argv.splice(2, 0, 'counterfoil');
await import('../../run.mjs');
