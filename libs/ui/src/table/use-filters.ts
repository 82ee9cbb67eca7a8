// The filters of a page live in its address: they can be linked, and survive a reload.
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';

export type Filters = Readonly<Record<string, string | undefined>>;

export function useFilters(): {
  filters: Filters;
  /** A step that “Back” takes back, unless it is still being typed. */
  set: (changes: Filters, options?: { typing?: boolean }) => void;
  clear: () => void;
} {
  const filters = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const go = (search: Filters, replace: boolean) =>
    void navigate({ to: pathname, search, replace, resetScroll: false } as never);
  return {
    filters,
    // Another filter is another list: it begins on its first page.
    set: (changes, { typing = false } = {}) =>
      go({ ...filters, cursor: undefined, ...changes }, typing),
    clear: () => go({}, false),
  };
}
