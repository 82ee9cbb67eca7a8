// Links and navigation between pages of the panel, and the parameters of their addresses.
import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';

function parseHref(href: string): { to: string; search: Record<string, string> } {
  const [to = '/', search = ''] = href.split('?');
  return { to, search: Object.fromEntries(new URLSearchParams(search)) };
}

export function PanelLink(props: AnchorProps & { to: string; children: ReactNode }) {
  const { to, ...rest } = props;
  return (
    <Anchor inherit {...rest} renderRoot={(root) => <Link {...root} {...(parseHref(to) as object)} />} />
  );
}

export function LinkButton(props: ButtonProps & { to: string; children: ReactNode }) {
  const { to, ...rest } = props;
  return <Button {...rest} renderRoot={(root) => <Link {...root} {...(parseHref(to) as object)} />} />;
}

export function useGo(): (href: string, options?: { replace?: boolean }) => void {
  const navigate = useNavigate();
  return useCallback(
    (href, options = {}) => void navigate({ ...parseHref(href), ...options } as never),
    [navigate],
  );
}

export function useParam(name: string): string {
  const params = useParams({ strict: false }) as Record<string, string | undefined>;
  return params[name] ?? '';
}
