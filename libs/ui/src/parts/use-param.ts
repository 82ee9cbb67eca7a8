// A part of the page's address, `$item_id` for example.
import { useParams } from '@tanstack/react-router';

export function useParam(name: string): string {
  const params = useParams({ strict: false }) as Record<string, string | undefined>;
  return params[name] ?? '';
}
