// The error answers that every operation of the wallet may give, for its OpenAPI entry.
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';

export const errorAnswers = {
  400: ErrorAnswer,
  401: ErrorAnswer,
  403: ErrorAnswer,
  404: ErrorAnswer,
  429: ErrorAnswer,
  500: ErrorAnswer,
  503: ErrorAnswer,
};
