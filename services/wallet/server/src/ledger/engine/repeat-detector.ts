// Detects that callers repeat old ids, for example after a restart of the service.

export interface RepeatDetector {
  /** Whether a batch should look up its ids before it is decided. */
  readonly areLikely: () => boolean;
  /** Records whether a batch that looked up its ids had a repeat. */
  record(hadRepeat: boolean): void;
}

/**
 * A batch that contains an old id fails in the database and is decided again. Its failure costs as much as
 * the look-ups of a few batches. So after a repeat, this number of batches look up their ids first.
 */
const lookUpBatches = 8;

export function createRepeatDetector(): RepeatDetector {
  let left = 0;
  return {
    areLikely: () => left > 0,
    record: (hadRepeat) => {
      left = hadRepeat ? lookUpBatches : left - 1;
    },
  };
}
