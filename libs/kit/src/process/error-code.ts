// Reads the code (ENOENT, EACCES, 42P04…) that Node's and PostgreSQL's errors carry.
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
