// Builds PostgreSQL arrays as text, one array per column, because the conversion by the driver is too slow.

export interface Column {
  push(value: bigint | number | string | undefined): void;
  readonly text: () => string;
}

/** A column of numbers, or of hex digits for uuid columns. The entries need no quotes. */
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

/**
 * A column of arbitrary texts. Every text is quoted, so that an empty text and the word NULL are read as
 * text. Undefined becomes the value NULL.
 */
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
