// Deletes the messages of one kind from a tenant to an address, for the erasure of a person.
import { deleteMailTo } from './store.ts';

export const deleteMail = deleteMailTo;
