// Thrown for a callback or an answer that is not genuine. The service uses the same error codes.

export class CallbackError extends Error {
  override readonly name = 'CallbackError';
  readonly code: 'signature_invalid' | 'timestamp_out_of_range' | 'not_json';

  constructor(code: CallbackError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
