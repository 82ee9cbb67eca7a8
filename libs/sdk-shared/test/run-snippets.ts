// Runs the JavaScript blocks of a README as one module that imports the package under test.
import { readFileSync } from 'node:fs';

const fence = /^```js\n([\s\S]*?)^```$/gm;
const imported = /^import \{([^}]*)\} from '(@counterfoil\/[a-z]+)';$/gm;

type Run = (bound: object) => Promise<Record<string, unknown>>;

/**
 * Joins the code blocks of the file into one function. Its parameter `bound` contains the names that the
 * README uses but does not declare (`request`, `process`). Its result contains the values of the declarations
 * that `results` lists.
 */
export function readSnippets(
  file: string,
  packageName: string,
  exported: object,
  results: readonly string[],
): Run {
  const blocks = [...readFileSync(file, 'utf8').matchAll(fence)].map(([, code = '']) => code);
  const code = blocks.join('\n').replace(imported, (_all, names: string, from: string) => {
    if (from !== packageName) throw new Error(`a snippet imports ${from}`);
    const missing = names.split(',').filter((name) => !(name.trim() in exported));
    if (missing.length > 0) throw new Error(`${from} does not export ${missing}`);
    return `const {${names}} = exported;`;
  });
  if (code === '') throw new Error(`${file} has no snippet`);
  const AsyncFunction = (async () => {}).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<Record<string, unknown>>;
  return (bound) => {
    const names = ['exported', ...Object.keys(bound)];
    const whole = new AsyncFunction(...names, `${code}\nreturn { ${results.join(', ')} };`);
    return whole(exported, ...Object.values(bound));
  };
}
