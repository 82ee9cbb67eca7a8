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

function decode(text: string): string {
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

/**
 * Matches a text with its quotes, or one of the characters `{}[]:,`, or all characters up to the next of
 * these.
 */
const tokens = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|[{}[\]:,]|[^"{}[\]:,]+/g;

/**
 * Redacts JSON without parsing it as a whole. So all other characters stay as they were sent, even numbers
 * with many digits, repeated names, and text that is cut off or invalid.
 */
function redactJson(text: string): string {
  const parts = text.match(tokens) ?? [];
  let redacted = '';
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? '';
    const colon = part.startsWith('"') ? findColon(parts, i + 1) : -1;
    if (colon >= 0 && isSecret(readText(part))) {
      const end = findEndOfValue(parts, colon + 1);
      redacted += `${parts.slice(i, colon + 1).join('')}"${hidden}"`;
      i = end - 1;
    } else if (colon < 0 && part.startsWith('"')) {
      redacted += redactQuoted(part);
    } else {
      redacted += part;
    }
  }
  return redacted;
}

const isBlank = (part: string | undefined): boolean => part !== undefined && part.trim() === '';

/** Returns the index of the colon that follows a name; -1 if the text is not a name. */
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
