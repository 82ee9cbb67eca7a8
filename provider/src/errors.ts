// Every error that the stand-in provider can answer.
import { defineErrors, transportErrors } from '@counterfoil/kit/errors';

export const errors = defineErrors({ ...transportErrors });
