// The menu of the signed-in person: account, appearance, language, sign-out.
import { Avatar, Menu, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { Languages, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import { useMe, useSignOut } from '../api/me.ts';
import { type Language, language, languages, switchLanguage } from '../language.ts';
import { useGo } from '../parts/links.tsx';
import { sharedPaths } from '../shared-paths.ts';
import { words } from '../strings.ts';

const schemes = [
  { value: 'light', label: words.shell.light, icon: Sun },
  { value: 'dark', label: words.shell.dark, icon: Moon },
  { value: 'auto', label: words.shell.auto, icon: Monitor },
] as const;

export function UserMenu() {
  const { data: me } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const go = useGo();
  if (!me) return null;
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <UnstyledButton>
          <Avatar name={me.person.name} color="pine.8" variant="filled" radius="xl" size={32} />
          <VisuallyHidden>{words.shell.userMenu(me.person.name)}</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{me.person.email}</Menu.Label>
        <Menu.Item leftSection={<UserRound size={14} aria-hidden />} onClick={() => go(sharedPaths.account)}>
          {words.account.title}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{words.shell.scheme}</Menu.Label>
        {schemes.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={14} aria-hidden />}
            onClick={() => setColorScheme(value)}
            {...(colorScheme === value && { 'aria-current': 'true', fw: 600 })}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <LanguageItems />
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size={14} aria-hidden />} onClick={() => void signOut()}>
          {words.shell.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function LanguageItems() {
  return (
    <>
      <Menu.Label>{words.shell.language}</Menu.Label>
      {(Object.keys(languages) as Language[]).map((each) => (
        <Menu.Item
          key={each}
          lang={each}
          leftSection={<Languages size={14} aria-hidden />}
          onClick={() => each !== language && switchLanguage(each)}
          {...(each === language && { 'aria-current': 'true', fw: 600 })}
        >
          {languages[each]}
        </Menu.Item>
      ))}
    </>
  );
}
