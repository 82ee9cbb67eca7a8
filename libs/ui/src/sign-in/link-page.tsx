// The page of a one-time link: accepts an invitation, or sets a new password.
import { Anchor, PasswordInput, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isProblem } from '../api/problem.ts';
import { post } from '../api/request.ts';
import { ActionForm, useAction, useFields } from '../parts/action.tsx';
import { QueryView } from '../parts/page.tsx';
import { sharedPaths } from '../shared-paths.ts';
import { words } from '../strings.ts';
import { BarePage } from './bare-page.tsx';

interface Link {
  readonly purpose: 'invitation' | 'password_reset';
  readonly email: string;
  readonly person_exists: boolean;
}

/**
 * Reads the token from the fragment of the address, which browsers do not send to any server. Removes the
 * token from the address, so that the browser's history does not contain it.
 */
function takeToken(): string {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '';
  if (token !== '') window.history.replaceState(window.history.state, '', window.location.pathname);
  return token;
}

let takenToken = '';

/**
 * Returns the current token. If a second link is pasted into the same tab, only the fragment changes, and
 * the browser does not reload the page. So this hook listens for changes of the fragment.
 */
function useToken(): string {
  const take = () => {
    takenToken = takeToken() || takenToken;
    return takenToken;
  };
  const [token, setToken] = useState(take);
  useEffect(() => {
    const onChange = () => setToken(take());
    window.addEventListener('hashchange', onChange);
    return () => window.removeEventListener('hashchange', onChange);
  });
  return token;
}

export default function LinkPage() {
  const token = useToken();
  const query = useQuery({
    queryKey: ['link', token],
    queryFn: () => post<Link>('/panel/links/inspect', { token }),
    enabled: token !== '',
  });
  const isReset = window.location.pathname === sharedPaths.reset;
  if (token === '') {
    return <NoLink title={isReset ? words.link.reset : words.link.welcome} text={words.link.missing} />;
  }
  if (isProblem(query.error, 'link_invalid')) {
    const text = isReset ? words.link.resetEnded : words.link.invitationEnded;
    return <NoLink title={words.link.ended} text={text} />;
  }
  const link = query.data;
  const isForReset = link ? link.purpose === 'password_reset' : isReset;
  const title = isForReset ? words.link.reset : words.link.welcome;
  return (
    <BarePage title={title} {...(link && { text: describeLink(link) })}>
      <QueryView query={query}>{(found) => <Redeem key={token} link={found} token={token} />}</QueryView>
    </BarePage>
  );
}

function NoLink({ title, text }: { title: string; text: string }) {
  return (
    <BarePage title={title} text={text}>
      <Anchor href={sharedPaths.signIn}>{words.link.toSignIn}</Anchor>
    </BarePage>
  );
}

const describeLink = (link: Link) =>
  link.purpose === 'password_reset' ? words.link.resetOf(link.email) : words.link.join(link.email);

function Redeem({ link, token }: { link: Link; token: string }) {
  const { values, field } = useFields({ name: '', password: '' });
  const client = useQueryClient();
  const isInvitation = link.purpose === 'invitation';
  const isNew = isInvitation && !link.person_exists;
  const isKnown = isInvitation && link.person_exists;
  const action = useAction(
    () => {
      const { name, password } = values;
      const body = { token, password, ...(isNew && { name }) };
      return post<{ signed_in: boolean }>('/panel/links/redeem', body);
    },
    {
      quiet: true,
      refresh: [],
      onDone: ({ signed_in }) => {
        client.clear();
        window.location.replace(signed_in ? '/' : sharedPaths.signIn);
      },
    },
  );
  return (
    <ActionForm
      action={action}
      submit={isInvitation ? words.link.accept : words.link.save}
      button={{ fullWidth: true }}
    >
      <input type="hidden" name="username" autoComplete="username" value={link.email} readOnly />
      {isNew && (
        <TextInput
          label={words.link.name}
          autoComplete="name"
          required
          autoFocus
          {...field('name', action.error)}
        />
      )}
      <PasswordInput
        label={words.signIn.password}
        {...(isInvitation && { description: isNew ? words.link.fresh : words.link.known })}
        autoComplete={isKnown ? 'current-password' : 'new-password'}
        required
        {...field('password', action.error)}
      />
    </ActionForm>
  );
}
