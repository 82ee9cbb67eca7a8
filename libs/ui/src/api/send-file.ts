// Uploads a file, reports the progress, and passes on the response while it arrives.
import { ApiProblem } from './problem.ts';
import { writeQuery } from './request.ts';

interface SentFile {
  readonly method: 'POST' | 'PUT';
  readonly file: File;
  /** The content type; must be one that a form on another site cannot send. */
  readonly type: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Query parameters that may repeat. */
  readonly queryLists?: readonly (readonly [string, string])[];
  /** Called with the uploaded share, from 0 to 1. */
  readonly onSent?: (part: number) => void;
  /** Called with the response text received so far. */
  readonly onAnswer?: (text: string) => void;
}

/** Uses XMLHttpRequest because fetch does not report the progress of an upload. */
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
