// Runs PHP in tests. Without PHP, the tests are skipped. But if the variable CI is set, they run and fail.
import { execFileSync, spawn } from 'node:child_process';

export const hasPhp = (() => {
  try {
    execFileSync('php', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return Boolean(process.env.CI);
  }
})();

/** The title of tests that need PHP. If the tests are skipped, it names the reason. */
export const titleOfPhp = (title: string): string => (hasPhp ? title : `${title} (php is not installed)`);

/** Runs a script in a new PHP process, as a web server may do, and returns what it prints. */
export async function runPhp(source: string, args: readonly string[]): Promise<string> {
  const php = spawn('php', ['--', ...args]);
  php.stdin.end(source);
  let out = '';
  php.stdout.on('data', (part: Buffer) => {
    out += part;
  });
  await new Promise((resolve) => php.once('close', resolve));
  return out;
}
