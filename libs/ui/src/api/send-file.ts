// Uploads a file, reports the progress, and passes on the response while it arrives.
import { ApiProblem } from './problem.ts';
import { type Query, readRetryAfter, writeQuery } from './request.ts';

interface SentFile {
  readonly method: 'POST' | 'PUT';
  readonly file: File;
  /** The content type. It must be a type that a form on another site cannot send. */
  readonly type: string;
  readonly query?: Query;
  /** Called with the uploaded share, from 0 to 1. */
  readonly onSent?: (part: number) => void;
  /** Called with the response text received so far. */
  readonly onAnswer?: (text: string) => void;
}

/** Sends a file. It uses XMLHttpRequest, because fetch does not report the progress of an upload. */
export function sendFile(path: string, sent: SentFile): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(sent.method, `${path}${writeQuery(sent.query)}`);
    request.setRequestHeader('content-type', sent.type);
    request.upload.onprogress = ({ loaded, total }) => sent.onSent?.(total ? loaded / total : 1);
    request.onprogress = () => {
      if (request.status === 200) sent.onAnswer?.(request.responseText);
    };
    request.onerror = () => reject(new TypeError('the connection broke'));
    request.onload = () => {
      if (request.status === 200) resolve(request.responseText);
      else reject(readProblem(request));
    };
    request.send(sent.file);
  });
}

const readProblem = (request: XMLHttpRequest) => {
  const seconds = readRetryAfter(request.getResponseHeader('retry-after'));
  return new ApiProblem(request.status, readBody(request.responseText), seconds);
};

function readBody(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}
