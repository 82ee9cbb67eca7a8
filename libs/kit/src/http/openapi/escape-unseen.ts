// Escapes invisible characters, and those that some readers treat as line ends, as \u….

const unseen =
  /[\u007f-\u00a0\u00ad\u0600-\u0605\u061c\u06dd\u070f\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ue000-\uf8ff\ufeff\ufff0-\ufffb]/g;

/** Escapes these characters in a JSON text. The result is parsed to the same value. */
export const escapeUnseen = (json: string): string =>
  json.replace(unseen, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
