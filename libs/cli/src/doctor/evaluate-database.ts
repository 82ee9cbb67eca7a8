// Evaluates the facts of a database. The functions do no I/O, so that tests can simulate any fault.
import { type Finding, ok, problem, warning } from './finding.ts';
import type { DatabaseFacts } from './read-database.ts';

const oldestVersion = 150_000;
const tolerableClockMs = 2000;
const brokenClockMs = 30_000;

interface Expectations {
  readonly service: string;
  readonly production: boolean;
  /** The number of connections that all processes of the service may open together. */
  readonly wantedConnections: number;
}

export function evaluateDatabase(facts: DatabaseFacts, expected: Expectations): Finding[] {
  const check = `${expected.service} database`;
  return [
    ...evaluateServer(check, facts, expected),
    ...evaluateSafety(check, facts),
    ...evaluateSchema(check, facts),
    ...evaluateOwner(check, facts, expected),
    evaluateClock(`${expected.service} clock`, facts),
  ];
}

function evaluateServer(check: string, facts: DatabaseFacts, expected: Expectations): Finding[] {
  const { versionText, isStandby, maxConnections } = facts;
  const findings: Finding[] = [];
  if (facts.version < oldestVersion) {
    const advice = 'Use PostgreSQL 15 or later.';
    findings.push(problem(check, `PostgreSQL ${versionText} is too old`, advice));
  } else findings.push(ok(check, `PostgreSQL ${versionText} answers`));
  if (isStandby) {
    const advice = 'Use the address of the primary; a standby accepts no writes.';
    findings.push(problem(check, 'it is a standby', advice));
  }
  const { wantedConnections } = expected;
  if (wantedConnections > maxConnections) {
    const says = `${wantedConnections} connections are needed, it allows ${maxConnections}`;
    const advice = 'Raise max_connections, or lower DATABASE_CONNECTIONS or PROCESSES.';
    findings.push(problem(check, says, advice));
  }
  return findings;
}

/**
 * Checks the settings for durability. If one of them is off, an acknowledged movement of money can be lost in
 * a crash.
 */
function evaluateSafety(check: string, { settings }: DatabaseFacts): Finding[] {
  const off = Object.entries(settings)
    .filter(([, value]) => value === 'off')
    .map(([name]) => name);
  if (off.length === 0) return [ok(check, 'fsync, full_page_writes, synchronous_commit are on')];
  return off.map((name) =>
    problem(
      check,
      `${name} is off: an acknowledged write can be lost`,
      name === 'synchronous_commit'
        ? 'Turn it on for the server, the database and the role: alter … reset synchronous_commit.'
        : `Set ${name} = on in postgresql.conf and restart the server.`,
    ),
  );
}

function evaluateSchema(check: string, { migrations }: DatabaseFacts): Finding[] {
  const { pending, changed, unknown } = migrations;
  const findings: Finding[] = [];
  if (changed.length > 0) {
    const says = `migrations were changed after they were applied: ${changed.join(', ')}`;
    findings.push(problem(check, says, 'Run the build that this database belongs to.'));
  }
  if (unknown > 0) {
    const says = `${unknown} migrations of a newer build are applied`;
    findings.push(warning(check, says, 'Run that build, unless you are rolling back.'));
  }
  if (pending > 0) {
    const says = `${pending} migrations are not applied yet`;
    findings.push(warning(check, says, 'The next start of the service applies them.'));
  }
  return findings.length > 0 ? findings : [ok(check, 'all migrations are applied')];
}

function evaluateOwner(check: string, facts: DatabaseFacts, expected: Expectations): Finding[] {
  const findings: Finding[] = [];
  if (facts.keyFits === false) {
    const says = 'it was sealed under another MASTER_KEY';
    const advice = 'Set the MASTER_KEY that the database was created with.';
    findings.push(problem(check, says, advice));
  }
  if (facts.isDemo && expected.production) {
    const says = "it contains the demo's data, whose credentials were printed";
    findings.push(problem(check, says, 'Use an empty database for production.'));
  }
  return findings;
}

function evaluateClock(check: string, facts: DatabaseFacts): Finding {
  const offMs = Math.max(0, Math.abs(facts.aheadMs) - facts.giveOrTakeMs);
  const way = facts.aheadMs > 0 ? 'ahead of' : 'behind';
  const zone = `its time zone is ${facts.timeZone}`;
  if (offMs <= tolerableClockMs) return ok(check, `the clock agrees with ours; ${zone}`);
  const says = `the clock is ${(offMs / 1000).toFixed(1)} s ${way} ours; ${zone}`;
  const advice = 'Synchronize both machines with chrony or systemd-timesyncd.';
  return offMs > brokenClockMs ? problem(check, says, advice) : warning(check, says, advice);
}
