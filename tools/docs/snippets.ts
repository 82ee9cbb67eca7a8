// Extracts the snippets of the documentation, and runs a snippet as a reader would.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Language = 'sh' | 'js' | 'php' | 'python';

export interface Snippet {
  readonly page: string;
  readonly line: number;
  readonly language: Language;
  readonly code: string;
  /** The output that the page shows; `…` matches anything. */
  readonly prints: string | undefined;
  /** The reason that the page gives for not running the snippet. */
  readonly notRun: string | undefined;
}

const languages: readonly string[] = ['sh', 'js', 'php', 'python'] satisfies Language[];
/** Languages of blocks that are not run: data and output. */
const others: readonly string[] = ['json', 'text', 'sql', 'http', 'yaml', ''];

interface Block {
  readonly line: number;
  readonly language: string;
  readonly code: string;
  readonly before: string;
}

function listBlocks(text: string): Block[] {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at++) {
    const fence = /^ *```(\w*)/.exec(lines[at] ?? '');
    if (!fence) continue;
    const end = lines.findIndex((line, i) => i > at && /^ *```\s*$/.test(line));
    if (end < 0) throw new Error(`the block at line ${at + 1} has no end`);
    const code = lines.slice(at + 1, end).join('\n');
    const before = lines.slice(0, at).findLast((line) => line.trim() !== '') ?? '';
    blocks.push({ line: at + 1, language: fence[1] ?? '', code, before });
    at = end;
  }
  return blocks;
}

export function listSnippets(page: string, text: string): Snippet[] {
  const blocks = listBlocks(text);
  return blocks.flatMap(({ line, language, code, before }, i) => {
    if (!languages.includes(language)) {
      if (others.includes(language)) return [];
      throw new Error(`${page}:${line}: ${language} is neither run nor known as data`);
    }
    const next = blocks[i + 1];
    const notRun = /^<!-- not run: (.{10,}) -->$/.exec(before.trim())?.[1];
    const prints = next?.language === 'text' ? next.code : undefined;
    return [{ page, line, language: language as Language, code, prints, notRun }];
  });
}

export interface Stage {
  /** The folder of the programs that are made from snippets. It also contains `counterfoil.php`. */
  readonly folder: string;
  /** The working directory of commands: the root of the clone. */
  readonly root: string;
  /** Variables exported by earlier snippets of the page. */
  env: NodeJS.ProcessEnv;
}

const programs: Record<Exclude<Language, 'sh'>, readonly [string, string]> = {
  js: [process.execPath, 'mjs'],
  php: ['php', 'php'],
  python: ['python3', 'py'],
};

const timeouts = /('timeout' => |timeout=|AbortSignal\.timeout\(|'timeout_seconds'\] \?\? )(\d[\d_.]*)/g;

/** Multiplies the timeouts in a program by 60, because a test may run slowly. */
export const withLongTimeouts = (program: string): string =>
  program.replace(
    timeouts,
    (_all, before: string, time: string) => `${before}${Number(time.replaceAll('_', '')) * 60}`,
  );

/**
 * Runs a snippet and returns its output. Throws with the output if the snippet fails. The variables that a
 * shell snippet exports are stored in `stage.env`.
 */
export async function runSnippet(snippet: Snippet, stage: Stage): Promise<string> {
  if (snippet.language !== 'sh') {
    const [program, suffix] = programs[snippet.language];
    const file = join(stage.folder, `line-${snippet.line}.${suffix}`);
    writeFileSync(file, withLongTimeouts(snippet.code));
    return await runProgram(program, [file], { cwd: stage.folder, env: stage.env });
  }
  const exported = join(stage.folder, 'exported');
  const script = `set -euo pipefail\n${snippet.code}\nenv -0 > "${exported}"`;
  const output = await runProgram('bash', ['-c', script], { cwd: stage.root, env: stage.env });
  const pairs = readFileSync(exported, 'utf8').split('\0').filter(Boolean);
  stage.env = Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  return output;
}

export async function runProgram(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<string> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let problems = '';
  child.stdout.on('data', (part: Buffer) => {
    out += part;
  });
  child.stderr.on('data', (part: Buffer) => {
    problems += part;
  });
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (status !== 0) throw new Error(`ended with ${status}: ${problems}${out}`);
  return out;
}

/** The expected output as a pattern, in which `…` matches anything within a line. */
export function patternOf(prints: string): RegExp {
  const plain = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const lines = prints.split('\n').map((line) => line.split('…').map(plain).join('.*'));
  return new RegExp(`^${lines.join('\\n')}\\s*$`, 'u');
}
