// The filters of a page. The filters are part of the page's URL, so that a filtered page can be linked and
// survives a reload.
import { CloseButton, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { words } from '../strings.ts';

export type Filters = Readonly<Record<string, string | undefined>>;

export function useFilters() {
  const filters = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return {
    filters,
    /**
     * Changes the filters. Each change adds an entry to the browser's history, except while the person types.
     */
    set: (changes: Filters, { typing = false } = {}) => {
      // After a change of a filter, the list starts on its first page again.
      // `current` contains earlier changes that the page does not show yet.
      const search = (current: Filters) => ({ ...current, cursor: undefined, ...changes });
      void navigate({ to: pathname, search, replace: typing, resetScroll: false } as never);
    },
  };
}

const pauseMs = 250;

/** A filter for text. It is applied after a pause in typing. */
export function TextFilter(props: { name: string; label: string; width?: number }) {
  const { filters, set } = useFilters();
  const current = filters[props.name] ?? '';
  const [text, setText] = useState(current);
  /** The texts that were applied and that the address has not contained yet. */
  const applied = useRef<string[]>([]);
  useEffect(() => {
    // The person may have typed more before the address contains an applied text. So only an address that
    // this input has not set, such as the previous one of the browser's history, replaces the typed text.
    const own = applied.current.lastIndexOf(current);
    applied.current = own === -1 ? [] : applied.current.slice(own + 1);
    if (own === -1) setText((typed) => (typed.trim() === current ? typed : current));
  }, [current]);
  const apply = useDebouncedCallback((value: string) => {
    const trimmed = value.trim();
    if (trimmed !== current) applied.current.push(trimmed);
    set({ [props.name]: trimmed || undefined }, { typing: true });
  }, pauseMs);
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
        apply(event.currentTarget.value);
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
