// An error whose message is enough for an operator. It is printed without a stack trace.
export class PlainError extends Error {
  override readonly name: string = 'PlainError';
}
