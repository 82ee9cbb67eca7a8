// The fields of a form: their texts, and the sentences that the service had for each.
import { type ChangeEvent, useState } from 'react';
import { findFieldError } from '../api/problem.ts';

export function useFields<Values extends Record<string, string>>(start: Values) {
  const [values, setValues] = useState(start);
  const set = (name: keyof Values, value: string) =>
    setValues((before) => ({ ...before, [name]: value }));
  /** What an input needs; `error` is the refusal of the form's action. */
  const field = (name: keyof Values & string, error?: unknown, wireName: string = name) => {
    const sentence = findFieldError(error, wireName);
    return {
      value: values[name] ?? '',
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        set(name, event.currentTarget.value),
      ...(sentence && { error: sentence }),
    };
  };
  return { values, set, setValues, field };
}
