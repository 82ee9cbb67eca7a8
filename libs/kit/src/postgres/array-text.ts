// Columns as PostgreSQL array texts, built by hand: the driver's own way costs more than the decision.

export interface Column {
  push(value: bigint | number | string | undefined): void;
  readonly text: () => string;
}

/** Numbers, and hex digits for uuid columns: nothing in them needs quoting. */
export function plainColumn(): Column {
  let text = '';
  return {
    push: (value) => {
      text += text === '' ? `${value ?? 'NULL'}` : `,${value ?? 'NULL'}`;
    },
    text: () => `{${text}}`,
  };
}

const special = /["\\]/g;

/** Free texts, always quoted: an empty one and the word NULL mean themselves. */
export function textColumn(): Column {
  let text = '';
  return {
    push: (value) => {
      const item = value === undefined ? 'NULL' : `"${String(value).replace(special, '\\$&')}"`;
      text += text === '' ? item : `,${item}`;
    },
    text: () => `{${text}}`,
  };
}
