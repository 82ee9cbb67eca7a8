// The events of the licensing service, and when each is sent.
export const eventTypes = {
  'purchase.issued': 'A sale was recorded and has its purchase code; imports of history send none.',
  'purchase.refunded': 'A purchase was refunded: its code is no longer valid.',
  'purchase.cancelled': 'A purchase was cancelled: its code is no longer valid.',
  'purchase.disputed': 'A payment is disputed: the code is not valid while that lasts.',
  'purchase.dispute_won': 'A dispute ended well: the code is valid again.',
  'purchase.support_ending': 'The support of an active purchase ends within seven days.',
  'key.rotated': 'An API key was replaced by another.',
} as const;

export type EventType = keyof typeof eventTypes;
