// A failure whose message says all that a person needs; no stack trace is shown with it.
export class PlainError extends Error {
  override readonly name: string = 'PlainError';
}
