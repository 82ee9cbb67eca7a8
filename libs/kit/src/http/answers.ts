// The envelope of every successful answer.
import { type TSchema, Type } from 'typebox';

export const Answer = <Data extends TSchema>(data: Data) =>
  Type.Object({ status: Type.Literal('success'), data, request_id: Type.String() });

export const answer = <Data>(request: { id: string }, data: Data) => ({
  status: 'success' as const,
  data,
  request_id: request.id,
});

/** The data of an operation that has nothing to report. */
export const Nothing = Type.Object({});
