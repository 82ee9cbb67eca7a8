// A fresh transaction id, also where the page came over plain HTTP.
export function makeId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `panel-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Made here, not written by a person. */
export const isOwnId = (id: string): boolean => /^panel-[0-9a-f]{24}$/.test(id);
