// Matches the patterns of an OpenAPI document with the regular expression engines of JavaScript, PHP and
// Python.
import { spawnSync } from 'node:child_process';

/** A pattern, and a text that is matched with it. */
export type Trial = readonly [pattern: string, text: string];

/**
 * Whether the program is installed. With `CI` set, always true, so that a missing program fails the tests.
 */
const hasCommand = (command: string) =>
  Boolean(process.env.CI) || spawnSync(command, ['--version']).status === 0;

const php = `$out = [];
foreach (json_decode(stream_get_contents(STDIN), true) as [$pattern, $text]) {
  $delimited = '/' . str_replace('/', '\\\\/', $pattern) . '/u';
  $found = preg_match($delimited, $text);
  $out[] = $found === false ? preg_last_error_msg() : $found === 1;
}
echo json_encode($out);`;

const python = `import json, re, sys
print(json.dumps([bool(re.search(p, t)) for p, t in json.load(sys.stdin)]))`;

const run = (command: string, args: readonly string[]) => (trials: readonly Trial[]) => {
  const input = JSON.stringify(trials);
  const { stdout, stderr } = spawnSync(command, args, { input, encoding: 'utf8' });
  if (stderr !== '') throw new Error(stderr);
  return JSON.parse(stdout) as unknown[];
};

const inJavaScript =
  (flags: string) =>
  (trials: readonly Trial[]): unknown[] =>
    trials.map(([pattern, text]) => new RegExp(pattern, flags).test(text));

/**
 * The engines, and whether each is installed. `match` returns one value per trial: whether the text matches,
 * or an error message if the engine failed on the trial.
 */
export const engines = [
  { name: 'JavaScript with the flag u', isThere: true, match: inJavaScript('u') },
  { name: 'JavaScript without flags', isThere: true, match: inJavaScript('') },
  { name: 'PHP (needs php)', isThere: hasCommand('php'), match: run('php', ['-r', php]) },
  { name: 'Python (needs python3)', isThere: hasCommand('python3'), match: run('python3', ['-c', python]) },
];
