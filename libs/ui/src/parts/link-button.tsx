// A button that leads to another page of the panel; it is a link, and behaves like one.
import { Button, type ButtonProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { readHref } from './read-href.ts';

export function LinkButton(props: ButtonProps & { to: string; children: ReactNode }) {
  const { to, ...rest } = props;
  return (
    <Button {...rest} renderRoot={(root) => <Link {...root} {...(readHref(to) as object)} />} />
  );
}
