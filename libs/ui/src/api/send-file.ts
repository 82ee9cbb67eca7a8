// Sends a file and tells how much of it is on its way; the answer can be read as it comes.
import { ApiProblem } from './problem.ts';
import { writeQuery } from './request.ts';

export interface SentFile {
  readonly method: 'POST' | 'PUT';
  readonly file: File;
  /** No type that a form of another site could send. */
  readonly type: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Texts that stand several times in the query. */
  readonly queryLists?: readonly (readonly [string, string])[];
  /** From 0 to 1. */
  readonly onSent?: (part: number) => void;
  /** Everything that has come so far. */
  readonly onAnswer?: (text: string) => void;
}

/** By XMLHttpRequest: fetch does not tell how a body gets on. */
export function sendFile(path: string, sent: SentFile): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(sent.method, `${path}${writeLists(writeQuery(sent.query), sent.queryLists)}`);
    request.setRequestHeader('content-type', sent.type);
    request.upload.onprogress = ({ loaded, total }) => sent.onSent?.(total ? loaded / total : 1);
    request.onprogress = () => {
      if (request.status === 200) sent.onAnswer?.(request.responseText);
    };
    request.onerror = () => reject(new TypeError('the connection broke'));
    request.onload = () => {
      if (request.status === 200) resolve(request.responseText);
      else reject(new ApiProblem(request.status, readBody(request.responseText)));
    };
    request.send(sent.file);
  });
}

function writeLists(query: string, lists: SentFile['queryLists'] = []): string {
  const search = new URLSearchParams(query);
  for (const [name, value] of lists) search.append(name, value);
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

function readBody(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}
