// Saves the last score of every fault, and writes the scorecard page from the saved scores.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { arch, cpus, platform } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { renderPage, type SavedScore } from './render.ts';
import type { Score } from './score.ts';

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const resultsFile = fileOf('../../results/latest.json');
const pageFile = fileOf('../../../../docs/internals/scorecard.md');

/** Saves the scores that `chooseScore` chooses, keeps the scores of all other faults, and writes the page. */
export async function writeScorecard(
  scores: readonly Score[],
  options: { quick: boolean; names: readonly string[] },
): Promise<void> {
  const where = {
    commit: await findCommit(),
    machine: `${platform()} ${arch()}, ${cpus().length} cores, Node ${process.versions.node}`,
    date: new Date().toISOString().slice(0, 10),
    quick: options.quick,
  };
  const saved = new Map((await readSaved()).map((score) => [score.name, score]));
  for (const score of scores) {
    saved.set(score.name, chooseScore(saved.get(score.name), { ...score, ...where }));
  }
  const ordered = options.names.flatMap((name) => saved.get(name) ?? []);
  await mkdir(dirname(resultsFile), { recursive: true });
  await writeFile(resultsFile, `${JSON.stringify(ordered, null, 2)}\n`);
  await writeFile(pageFile, renderPage(ordered));
}

/** A skipped run replaces only a skipped run. A quick run does not replace a full run. */
export function chooseScore(before: SavedScore | undefined, now: SavedScore): SavedScore {
  if (before === undefined || before.verdict === 'skipped') return now;
  const isLess = now.verdict === 'skipped' || (now.quick && !before.quick);
  return isLess ? before : now;
}

async function readSaved(): Promise<SavedScore[]> {
  try {
    return JSON.parse(await readFile(resultsFile, 'utf8')) as SavedScore[];
  } catch {
    return [];
  }
}

async function findCommit(): Promise<string> {
  const root = fileOf('../../../..');
  const { stdout } = await promisify(execFile)('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: root,
  }).catch(() => ({ stdout: 'unknown' }));
  return stdout.trim();
}
