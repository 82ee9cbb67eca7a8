// Sends generated requests to every operation, and records all answers that violate the OpenAPI document.
import fc from 'fast-check';
import { fillMarks } from './arbitraries.ts';
import { type AttackCase, escapeText, makeCase } from './cases.ts';
import { checkResponse } from './check-response.ts';
import { createFingerprint, listChanges } from './fingerprint.ts';
import { watchIdle } from './idle.ts';
import { meetsDocument } from './meets-document.ts';
import { listOperations } from './operations.ts';
import { type Answer, openSender, type Sent } from './send.ts';
import type { Target } from './target.ts';

export interface FuzzReport {
  readonly cases: number;
  readonly operations: number;
  readonly answers: Readonly<Record<string, number>>;
  /** Operations that accepted at least one request. */
  readonly accepted: ReadonlySet<string>;
  /** Operations that got no request with their own method and valid credentials. */
  readonly unasked: readonly string[];
  readonly problems: readonly string[];
  /** The text of every refusal. */
  readonly refusals: readonly string[];
}

/** Removes characters that HTTP does not allow in a header. */
const headerText = (text: string) => text.replace(/[^\x20-\x7e]/g, '').slice(0, 4000);

function address({ operation, path, query }: AttackCase, fill: (text: string) => string): string {
  const filled = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    escapeText(fill(path[name] ?? '')),
  );
  const pairs = query.map(([name, value]) => `${escapeText(name)}=${escapeText(fill(value))}`);
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

function prepare(each: AttackCase, target: Target): Sent {
  const fill = (text: string) => fillMarks(text, target.idOf);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(each.headers)) headers[name] = headerText(fill(value));
  const mayHaveBody = each.method !== 'GET' && each.method !== 'HEAD' && each.method !== 'TRACE';
  const { body } = each;
  const isText = body && !body.includes(0xff);
  return {
    method: each.method,
    url: address(each, fill),
    headers: { ...target.headersFor(each.operation, each.credentials), ...headers },
    ...(mayHaveBody && {
      body: isText ? Buffer.from(fill(body.toString('latin1')), 'latin1') : body,
    }),
  };
}

const renewEvery = 60;

/**
 * Whether the operation sends a file. Such a request may change data, because the service records the
 * download with the purchase.
 */
const isDownload = ({ path }: AttackCase['operation']) =>
  path === '/downloads/{token}' || path.startsWith('/updates/composer/{workspace}/dist/');

/** Whether the request has the operation's method and valid credentials. Other parts may be broken. */
const isItsOwn = ({ operation, method, credentials }: AttackCase) =>
  method === operation.method && credentials === 'own';

/**
 * Generates the requests. Every operation gets the same number of requests, so the total is rounded up. The
 * first request of each operation has the operation's method and valid credentials.
 */
function drawCases(target: Target, { cases, seed }: { cases: number; seed: number }): AttackCase[] {
  const operations = listOperations(target.document);
  const rounds = Math.max(1, Math.ceil(cases / operations.length));
  const drawn = operations.map((operation, i) => {
    const any = makeCase(operation, target.known);
    return [
      ...fc.sample(any.filter(isItsOwn), { numRuns: 1, seed: seed + i }),
      ...fc.sample(any, { numRuns: rounds - 1, seed: seed + i }),
    ];
  });
  return Array.from({ length: rounds }, (_, round) => drawn.flatMap((each) => each[round] ?? [])).flat();
}

/** Sends at least `wanted.cases` requests, and at least one per operation. */
export async function fuzz(target: Target, wanted: { cases: number; seed: number }): Promise<FuzzReport> {
  const titles = listOperations(target.document).map((operation) => operation.title);
  const order = drawCases(target, wanted);
  const fingerprint = await createFingerprint(target.db, target.logTables);
  const untilIdle = watchIdle(target);
  const sender = openSender(target.port);
  const answers: Record<string, number> = {};
  const accepted = new Set<string>();
  const asked = new Set<string>();
  const problems: string[] = [];
  const refusals: string[] = [];
  let before = await fingerprint();
  let since = 0;
  for (const each of order) {
    const sent = prepare(each, target);
    const answer = await sender.send(sent).catch((error: Error) => error);
    // Waits, because the service records a download only after its last byte is sent.
    if (isDownload(each.operation)) await untilIdle();
    const after = await fingerprint();
    const found = [
      ...find(each, answer, listChanges(before, after)),
      ...(answer instanceof Error ? [] : compare(each, sent, answer)),
    ];
    before = after;
    for (const problem of found)
      problems.push(`${each.operation.title}: ${problem}\n${describeRequest(sent)}`);
    if (answer instanceof Error) continue;
    if (isItsOwn(each)) asked.add(each.operation.title);
    answers[answer.status] = (answers[answer.status] ?? 0) + 1;
    const isAccepted = answer.status < 400;
    if (!isAccepted) refusals.push(answer.text);
    if (isAccepted && each.method === each.operation.method) accepted.add(each.operation.title);
    if (++since >= renewEvery || isWornOut(each, answer)) {
      await target.renew();
      before = await fingerprint();
      since = 0;
    }
  }
  sender.close();
  return {
    cases: order.length,
    operations: titles.length,
    answers,
    accepted,
    unasked: titles.filter((title) => !asked.has(title)),
    problems,
    refusals,
  };
}

/**
 * Whether the service refuses the tenant's credentials, because an earlier generated request has revoked
 * them.
 */
const isWornOut = (each: AttackCase, { status }: Answer) => each.credentials === 'own' && status === 401;

function find(each: AttackCase, answer: Answer | Error, changes: string[]): string[] {
  if (answer instanceof Error) return [`no answer: ${answer.message}`];
  const found = checkResponse(each.operation, each.method, answer);
  const isRead = /^(?:GET|HEAD)$/.test(each.method) && !isDownload(each.operation);
  // The ledger stores final refusals (402 and some 422), so these refusals may change data.
  const isFinal = answer.status === 402 || answer.status === 422;
  const mayChange = ((answer.status < 400 || isFinal) && !isRead) || mayOpenPromo(each, answer, changes);
  if (!mayChange && changes.length > 0) {
    found.push(`${answer.status} ${answer.text.slice(0, 100)}, but changed ${changes.join(', ')}`);
  }
  return found;
}

/**
 * The wallet opens a player's promo account before it writes the first order of promo money. If another order
 * with the same id is written meanwhile, the order is refused as a conflict, and the empty account stays.
 */
const mayOpenPromo = ({ operation }: AttackCase, { status }: Answer, changes: readonly string[]): boolean =>
  operation.path === '/api/v1/user/update_balance' && status === 409 && changes.join() === 'accounts';

/** Error codes that mean that a request does not have the documented form. */
const formCodes = new Set(['invalid_parameter', 'invalid_body', 'malformed_request']);

/** Fields with a rule that a schema cannot express. Only the field's description states the rule. */
const rulesBeyondSchema: readonly (readonly [field: RegExp, why: string, sentence?: RegExp])[] = [
  [/^cursor$/, 'only the service can create a cursor'],
  [/^(?:domains?(?:\.\d+)?|host)$/, 'host names follow the rules of IDNA'],
  [/^(?:caller|callback)_addresses\.\d+$/, 'JSON Schema has no format for address ranges'],
  [/^(?:demo_link|media\..+)$/, 'a pattern cannot check that a URL can be parsed'],
  [
    /^(?:price(?:\.\w+)?|balance)$/,
    'the currency limits the decimals, and a new currency needs new prices',
    /^must (?:be an exact amount in|contain both prices in the new|be given(?: if the currency differs|:))/,
  ],
  [
    /^currency$/,
    "it must exist and be the account's currency",
    /^must be (?:a currency of ISO 4217|[A-Z]{3})\.$/,
  ],
  [/^return_url$/, "the host must be one of the package's domains"],
  [
    /^purchase_code$/,
    'the code in the query, in X-Purchase-Code and in the password must be equal',
    /^is given twice/,
  ],
  [/^older_than$/, 'OpenAPI has no rules between two parameters'],
  [/^purse$/, 'OpenAPI has no rules between two parameters', /^needs player_id\.$/],
  [/^decimals$/, 'the currency sets the smallest number', /^must be a number from/],
  [/^secrets\.\w+$/, 'each dialect has its own credentials'],
  [/^profile$/, 'each dialect has its own variants', /^is not a variant of/],
  [/^currencies(?:\..+)?$/, "a code can stand for the package's currency only"],
  [/^upstream_url$/, 'a pattern cannot check that a URL can be parsed'],
];

/**
 * Fields that the service ignores in some requests. The pattern matches the fault that the comparison with
 * the document reports.
 */
const ignoredFields: readonly (readonly [path: string, fault: RegExp, why: string])[] = [
  ['/api/v1/game/callback', /^body\/(?:bet_|win_)?amount /, 'an action reads only its own amounts'],
];

function refusesForm(text: string): boolean {
  const { code, errors = {} } = JSON.parse(text) as {
    code: string;
    errors?: Record<string, string[]>;
  };
  const faults = Object.entries(errors).flatMap(([field, sentences]) =>
    sentences.map((sentence) => ({ field, sentence })),
  );
  const isBeyond = ({ field, sentence }: { field: string; sentence: string }) =>
    rulesBeyondSchema.some(([which, , said = /^/]) => which.test(field) && said.test(sentence));
  return formCodes.has(code) && (faults.length === 0 || !faults.every(isBeyond));
}

/** Reports an accepted request that the document forbids, and a refused request that the document allows. */
function compare(each: AttackCase, sent: Sent, { status, text }: Answer): string[] {
  if (!isItsOwn(each)) return [];
  const verdict = meetsDocument(each.operation, sent);
  if (verdict.is === 'allowed' && status === 400 && refusesForm(text)) {
    return [`refused a request that the document allows: ${text.slice(text.indexOf('errors'), 400)}`];
  }
  const isIgnored = ignoredFields.some(
    ([path, field]) => path === each.operation.path && verdict.is === 'forbidden' && field.test(verdict.why),
  );
  if (verdict.is === 'forbidden' && status < 400 && !isIgnored) {
    return [`accepted a request that the document forbids: ${verdict.why}`];
  }
  return [];
}

const describeRequest = ({ method, url, headers, body }: Sent) =>
  `    ${method} ${url.slice(0, 300)} ${headers['content-type'] ?? ''} ` +
  `${body?.toString('latin1').slice(0, 300) ?? ''}`;
