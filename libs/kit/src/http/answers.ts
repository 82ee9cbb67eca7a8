// The envelope of every successful answer, and the format of times in answers.
import { type TSchema, Type } from 'typebox';

export const Answer = <Data extends TSchema>(data: Data) =>
  Type.Object({ status: Type.Literal('success'), data, request_id: Type.String() });

export const answer = <Data>(request: { id: string }, data: Data) => ({
  status: 'success' as const,
  data,
  request_id: request.id,
});

export const Nullable = <T extends TSchema>(schema: T, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options);

/** The data of an answer that only confirms success. */
export const Nothing = Type.Object({});

export const presentTime = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;

export const wholeSecond = (time: Date): Date => new Date(Math.floor(time.getTime() / 1000) * 1000);

/** Whether two times are in the same second. Two missing times count as equal. */
export const isSameSecond = (a: Date | undefined, b: Date | undefined): boolean =>
  (a && wholeSecond(a).getTime()) === (b && wholeSecond(b).getTime());
