#!/usr/bin/env node
// Runs `npx counterfoil …` in a clone through run.mjs, which installs npm packages and builds if necessary.
process.argv.splice(2, 0, 'counterfoil');
await import('../../run.mjs');
