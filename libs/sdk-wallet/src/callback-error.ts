// What is wrong with a callback or its answer: with these codes the service refuses them too.

export class CallbackError extends Error {
  override readonly name = 'CallbackError';
  readonly code: 'signature_invalid' | 'timestamp_out_of_range' | 'not_json';

  constructor(code: CallbackError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
