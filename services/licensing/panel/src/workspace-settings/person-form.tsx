// Edits the seller's public profile.
import { patch } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { words } from '../strings.ts';
import type { Account } from '../wire.ts';

export const writeLinks = (links: Readonly<Record<string, string>>): string =>
  Object.entries(links)
    .map(([name, address]) => `${name} ${address}`)
    .join('\n');

/**
 * Reads links from lines with a name and an address. Returns undefined if a line lacks the name or the
 * address. Names may contain spaces.
 */
export function readLinks(text: string): Record<string, string> | undefined {
  const links: [string, string][] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const [, name, address] = /^\s*(\S.*?)\s+(\S+)\s*$/.exec(line) ?? [];
    if (name === undefined || address === undefined) return undefined;
    links.push([name, address]);
  }
  return Object.fromEntries(links);
}

const text = words.workspaceSettings;

const toValues = (account: Account) => ({
  firstname: account.name.firstname,
  lastname: account.name.lastname,
  username: account.username,
  email: account.email,
  heading: account.profile.heading,
  description: account.profile.description,
  contact_email: account.profile.contact.email,
  avatar: account.profile.media.avatar,
  cover: account.profile.media.cover,
  social: writeLinks(account.profile.social_links),
});

export function PersonForm({ account }: { account: Account }) {
  const { base, isOwner } = useTenant();
  const { values, field } = useFields(toValues(account));
  const links = readLinks(values.social);
  const action = useAction(
    () => {
      const { social: _text, ...person } = values;
      return patch(`${base}/account`, { ...person, social_links: links });
    },
    { done: words.saved, quiet: true },
  );
  const line = (name: keyof typeof values, label: string, type = 'text') => (
    <TextInput label={label} type={type} readOnly={!isOwner} {...field(name, action.error)} />
  );
  return (
    <Surface title={text.person} text={text.personText}>
      <ActionForm
        action={{ ...action, mutate: () => links && action.mutate() }}
        submit={isOwner && words.save}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {line('firstname', text.firstname)}
          {line('lastname', text.lastname)}
          {line('username', text.username)}
          {line('email', text.email, 'email')}
          {line('heading', text.heading)}
          {line('contact_email', text.contact, 'email')}
          {line('avatar', text.avatar, 'url')}
          {line('cover', text.cover, 'url')}
        </SimpleGrid>
        <Textarea
          label={text.description}
          autosize
          minRows={3}
          readOnly={!isOwner}
          {...field('description', action.error)}
        />
        <Textarea
          label={text.social}
          description={text.socialText}
          autosize
          minRows={3}
          readOnly={!isOwner}
          {...field('social', action.error, 'social_links')}
          {...(!links && { error: text.socialWrong })}
        />
      </ActionForm>
    </Surface>
  );
}
