// Timestamps as the contract writes them: UTC, to the second.
export const presentTime = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;
