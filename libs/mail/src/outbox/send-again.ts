// Sends a dead letter again, with all its attempts.
export { saveSendAgain as sendAgain } from './store.ts';
