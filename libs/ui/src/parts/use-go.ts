// Goes to another page of the panel.
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { readHref } from './read-href.ts';

export function useGo(): (href: string, options?: { replace?: boolean }) => void {
  const navigate = useNavigate();
  return useCallback(
    (href, options = {}) => void navigate({ ...readHref(href), ...options } as never),
    [navigate],
  );
}
