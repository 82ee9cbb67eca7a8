// Every verb of the command line: its summary, and the services that have it.

export type Service = 'licensing' | 'wallet';

export interface Verb {
  readonly name: string;
  readonly summary: string;
  /** The services that have the verb. The list is empty for the verbs of `own-verbs.ts`. */
  readonly services: readonly Service[];
}

const own = (name: string, summary: string): Verb => ({ name, summary, services: [] });
const of = (services: Service | readonly Service[], name: string, summary: string): Verb => ({
  name,
  summary,
  services: typeof services === 'string' ? [services] : services,
});
const both: readonly Service[] = ['licensing', 'wallet'];

export const verbs: readonly Verb[] = [
  own('start', 'run everything in the foreground, as npm start does'),
  own('credentials', "the demo's addresses and credentials"),
  own('doctor', 'check the whole installation, with advice for each problem'),
  of('wallet', 'packages', "customers' packages: list, show, create, approve, suspend, fund"),
  of('wallet', 'players', "packages' players: list, show, create, block, erase"),
  of('wallet', 'providers', "packages' provider connections: create, edit, test, certify"),
  of(both, 'keys', "workspaces' API keys and packages' key pairs"),
  of('licensing', 'items', "workspaces' items: list, show, publish, withdraw"),
  of('licensing', 'purchases', 'sales: list, show, issue, refund, cancel, dispute, block'),
  of('licensing', 'pools', 'pools of codes: list, generate, export, withdraw'),
  of('licensing', 'import', 'import purchases or items from a file into a workspace'),
  of(both, 'export', "export a workspace's rows, or one day of a package's journal"),
  of('wallet', 'verify', 'prove every balance from the journal'),
  of('licensing', 'workspaces', "sellers' workspaces: list, show, create"),
  of('licensing', 'signing-keys', 'keys that sign licences and answers: list, rotate'),
  of('wallet', 'rounds', 'list the open rounds'),
  of('wallet', 'admins', "invite the platform's administrators"),
  of('wallet', 'admin-tokens', 'tokens for /admin/v1'),
  of(both, 'people', 'links with which people set a new password'),
  of('licensing', 'erase-buyer', "erase a buyer's name and e-mail"),
  of('licensing', 'set-balance', 'set the balance that an account shows'),
  of('licensing', 'set-seller', 'stop an account from selling, or allow it again'),
  of(both, 'distribute', 'distribute the tables over a Citus cluster'),
  own('completion', 'print the completion script of a shell'),
  own('help', 'this text, or the help of a verb'),
];

export const findVerb = (name: string): Verb | undefined => verbs.find((verb) => verb.name === name);

/** A command whose first or second word is one of these words changes nothing. */
const readingWords = new Set([
  'list',
  'show',
  'open',
  'calls',
  'verify',
  'export',
  'doctor',
  'credentials',
  'completion',
  'help',
]);

export const onlyReads = (words: readonly string[]): boolean =>
  words.slice(0, 2).some((word) => readingWords.has(word));
