// Ids in addresses: what is no id is nobody's, and so is not found.

const idForm = /^[1-9]\d{0,17}$/;

/** No row has the id 0. */
export const parseId = (text: string): bigint => (idForm.test(text) ? BigInt(text) : 0n);
