// Replaces the values of fields that may be secrets: in bodies (JSON or forms), queries and headers.

/**
 * Matches the names of fields whose values are replaced. A name matches if it contains one of these words,
 * for example `user_password` or `X-Player-Token`.
 */
const secretName =
  /pass(?:wor[dt]|wd|phrase|code)|pwd|auth|token|session|secret|sign|key|credential|cookie|jwt/i;

const hidden = '…';

/** Whether a field of a parsed call contains a session token. The log leaves these fields out. */
export const isSessionField = (name: string): boolean =>
  name === 'token' || name === 'session' || name === 'playerOf';

const isSecret = (name: string): boolean => secretName.test(name);

/** Redacts a body, which may be cut off at any character. */
export const redactBody = (text: string): string =>
  /^\s*[[{"]/.test(text) ? redactJson(text) : redactForm(text);

/** Redacts the parameters of a form or of a query. */
export function redactForm(text: string): string {
  return text
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=');
      if (at < 0) return pair;
      const name = pair.slice(0, at);
      if (isSecret(decode(name))) return `${name}=${hidden}`;
      const value = decode(pair.slice(at + 1));
      const redacted = redactNested(value);
      return redacted === value ? pair : `${name}=${encodeURIComponent(redacted)}`;
    })
    .join('&');
}

const escapes = /[%+]/;

function decode(text: string): string {
  if (!escapes.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Redacts JSON that is the value of a field. Other texts are returned unchanged. */
const redactNested = (value: string): string => (/^\s*[[{]/.test(value) ? redactJson(value) : value);

export function redactHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, isSecret(name) ? hidden : String(value)]));
}

/** Matches a text with its quotes, or one of the characters `{}[]:,`, or a run of any other characters. */
const tokens = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|[{}[\]:,]|[^"{}[\]:,]+/g;

/**
 * Redacts JSON without parsing it as a whole. So everything except the secrets stays as it was sent, even
 * numbers with many digits, repeated names, and text that is cut off or invalid.
 */
const redactJson = (text: string): string => redactPlainJson(text) ?? redactTokens(text);

const quote = 0x22;
const colon = 0x3a;
const space = 0x20;

/**
 * Whether a character with this code may follow a value: a comma, a closing bracket or the end of the text.
 * At the end of the text, the code is NaN.
 */
const isEndOfValue = (code: number): boolean =>
  code === 0x2c || code === 0x7d || code === 0x5d || Number.isNaN(code);

/**
 * Redacts JSON as most programs write it, several times as fast as `redactTokens` and with the same result.
 * Returns undefined for JSON with backslashes, with blanks after a quoted text, or with a secret that is no
 * text.
 */
function redactPlainJson(text: string): string | undefined {
  if (text.includes('\\')) return undefined;
  let redacted = '';
  let copied = 0;
  let next = 0;
  for (let open = text.indexOf('"'); open >= 0; open = text.indexOf('"', next)) {
    const close = text.indexOf('"', open + 1);
    if (close < 0) break;
    next = close + 1;
    const after = text.charCodeAt(next);
    if (after !== colon) {
      if (isEndOfValue(after)) continue;
      return undefined;
    }
    if (!isSecret(text.slice(open + 1, close))) continue;
    let start = next + 1;
    while (text.charCodeAt(start) === space) start++;
    const end = text.charCodeAt(start) === quote ? text.indexOf('"', start + 1) : -1;
    if (end < 0 || !isEndOfValue(text.charCodeAt(end + 1))) return undefined;
    redacted += `${text.slice(copied, next + 1)}"${hidden}"`;
    copied = end + 1;
    next = copied;
  }
  return redacted === '' ? text : redacted + text.slice(copied);
}

function redactTokens(text: string): string {
  const parts = text.match(tokens) ?? [];
  let redacted = '';
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? '';
    const colonAt = part.startsWith('"') ? findColon(parts, i + 1) : -1;
    if (colonAt >= 0 && isSecret(readText(part))) {
      const end = findEndOfValue(parts, colonAt + 1);
      redacted += `${parts.slice(i, colonAt + 1).join('')}"${hidden}"`;
      i = end - 1;
    } else if (colonAt < 0 && part.startsWith('"')) {
      redacted += redactQuoted(part);
    } else {
      redacted += part;
    }
  }
  return redacted;
}

const isBlank = (part: string | undefined): boolean => part !== undefined && part.trim() === '';

/**
 * Returns the index of the colon that follows a quoted text. Returns -1 if no colon follows, because the text
 * is then not a name.
 */
function findColon(parts: readonly string[], from: number): number {
  const at = isBlank(parts[from]) ? from + 1 : from;
  return parts[at] === ':' ? at : -1;
}

/** Returns the index after a value, which may be a text, a number, an object or a list. */
function findEndOfValue(parts: readonly string[], from: number): number {
  let depth = 0;
  let i = from;
  for (; i < parts.length; i++) {
    const part = parts[i] ?? '';
    const isClose = part === '}' || part === ']';
    if (depth === 0 && (isClose || part === ',')) return i;
    if (part === '{' || part === '[') depth++;
    else if (isClose) depth--;
  }
  return i;
}

/** Redacts a quoted text that contains JSON itself. */
function redactQuoted(part: string): string {
  const value = readText(part);
  const redacted = redactNested(value);
  return redacted === value ? part : JSON.stringify(redacted);
}

/** Reads a quoted text, whose end may be missing. Escapes are decoded, because they may hide a name. */
function readText(part: string): string {
  try {
    return JSON.parse(part) as string;
  } catch {
    return part
      .slice(1)
      .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
}
