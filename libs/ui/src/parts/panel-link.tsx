// A link to another page of the panel, without loading the panel again.
import { Anchor, type AnchorProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { readHref } from './read-href.ts';

export function PanelLink(props: AnchorProps & { to: string; children: ReactNode }) {
  const { to, ...rest } = props;
  return (
    <Anchor
      inherit
      {...rest}
      renderRoot={(root) => <Link {...root} {...(readHref(to) as object)} />}
    />
  );
}
