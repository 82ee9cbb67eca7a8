// The filters of a page. The filters are part of the page's URL, so that a filtered page can be linked and
// survives a reload.
import { CloseButton, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { words } from '../strings.ts';

export type Filters = Readonly<Record<string, string | undefined>>;

export function useFilters() {
  const filters = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const change = (search: (current: Filters) => Filters, { typing = false } = {}) =>
    void navigate({ to: pathname, search, replace: typing, resetScroll: false } as never);
  return {
    filters,
    /**
     * Changes the filters. Each change adds an entry to the browser's history, except while the person types.
     */
    set: (changes: Filters, options?: { typing: boolean }) => {
      // `current` contains earlier changes that the page does not show yet. After a change of a filter, the
      // list starts on its first page again.
      change((current) => ({ ...current, cursor: undefined, ...changes }), options);
    },
    /**
     * Opens the page of the list at this cursor; by default the first page. Does nothing if the filters have
     * changed and the old list is still shown, because the cursor belongs to the old list.
     */
    openPage: (cursor: string | undefined) => {
      change((current) => (isSameList(current, filters) ? { ...current, cursor } : current));
    },
  };
}

const describeList = ({ cursor: _cursor, ...filters }: Filters): string =>
  JSON.stringify(
    Object.entries(filters)
      .filter(([, value]) => value !== undefined)
      .sort(),
  );

/** Whether the filters are the same, apart from the cursor. */
const isSameList = (one: Filters, other: Filters): boolean => describeList(one) === describeList(other);

const pauseMs = 250;

/** A filter for text. It is applied after a pause in typing. */
export function TextFilter(props: { name: string; label: string; width?: number }) {
  const { set } = useFilters();
  // The address changes at once. `filters` of the page may follow late, when the person has typed more.
  const current = useLocation({ select: ({ search }) => (search as Filters)[props.name] ?? '' });
  const [text, setText] = useState(current);
  const pathname = useLocation({ select: (location) => location.pathname });
  const apply = useDebouncedCallback((value: string, typedOn: string) => {
    // The person may have opened another page meanwhile. While it loads, this input is still shown.
    if (typedOn !== pathname) return;
    set({ [props.name]: value.trim() || undefined }, { typing: true });
  }, pauseMs);
  const follow = useEffectEvent((address: string) => {
    // The address contains the trimmed text. A space at the end stays in the input while the person types.
    if (text.trim() === address) return;
    apply.cancel();
    setText(address);
  });
  useEffect(() => follow(current), [current]);
  return (
    <TextInput
      aria-label={props.label}
      placeholder={props.label}
      value={text}
      w={{ base: '100%', xs: props.width ?? 240 }}
      leftSection={<Search size={14} aria-hidden />}
      rightSection={
        text === '' ? null : (
          <CloseButton
            size="sm"
            aria-label={words.table.clear}
            onClick={() => {
              // Cancels a change that has not been applied yet. Otherwise it would restore the text that the
              // person has just cleared.
              apply.cancel();
              setText('');
              set({ [props.name]: undefined });
            }}
          />
        )
      }
      onChange={(event) => {
        setText(event.currentTarget.value);
        apply(event.currentTarget.value, pathname);
      }}
    />
  );
}

/** Converts an object of values and their labels to the choices of a filter or select. */
export const toChoices = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

export function ChoiceFilter(props: {
  name: string;
  label: string;
  choices: readonly { value: string; label: string }[];
  width?: number;
}) {
  const { filters, set } = useFilters();
  return (
    <Select
      aria-label={props.label}
      placeholder={props.label}
      data={[...props.choices]}
      value={filters[props.name] ?? null}
      onChange={(value) => set({ [props.name]: value ?? undefined })}
      clearable
      w={{ base: '100%', xs: props.width ?? 170 }}
    />
  );
}
