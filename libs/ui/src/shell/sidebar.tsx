// The sidebar: the menu that switches between tenants, and the pages of the current tenant.
import {
  Box,
  Group,
  Menu,
  NavLink,
  ScrollArea,
  Stack,
  Text,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { BookOpen, ChevronsUpDown } from 'lucide-react';
import { type NavigationEntry, type Tenant, usePanel } from '../panel.ts';
import { useGo } from '../parts/links.tsx';
import { Hint } from '../parts/page.tsx';
import { words } from '../strings.ts';
import { useTenantId, useTenants } from '../tenant.ts';

export function Sidebar() {
  const panel = usePanel();
  const tenantId = useTenantId();
  const { data: tenants = [] } = useTenants();
  const tenant = tenants.find((each) => each.id === tenantId) ?? tenants[0];
  return (
    <Stack h="100%" gap="sm" component="nav" aria-label={words.shell.main}>
      {tenant && <TenantSwitcher tenant={tenant} tenants={tenants} />}
      <ScrollArea flex={1} type="auto" offsetScrollbars={false}>
        {tenant &&
          panel.navigationOf(tenant).map((group, index) => (
            <Box key={group.title ?? index} mb="sm">
              {group.title && (
                <Text size="xs" c="dimmed" fw={600} px="xs" py={4}>
                  {group.title}
                </Text>
              )}
              {group.entries.map((entry) => (
                <Entry key={entry.to} entry={entry} isHome={entry.to === tenant.to} />
              ))}
            </Box>
          ))}
      </ScrollArea>
      <hr className="cf-perforation" />
      <NavLink
        className="cf-nav-link"
        href="/docs"
        target="_blank"
        rel="noreferrer"
        label={words.shell.reference}
        leftSection={<BookOpen size={16} aria-hidden />}
      />
    </Stack>
  );
}

function Entry({ entry, isHome }: { entry: NavigationEntry; isHome: boolean }) {
  const { pathname } = useLocation();
  const isAt = (path: string) => pathname === path || pathname.startsWith(`${path}/`);
  const isBelow = entry.below !== undefined && isAt(entry.below);
  const active = isBelow || (isHome ? pathname === entry.to : isAt(entry.to));
  const Icon = entry.icon;
  return (
    <NavLink
      className="cf-nav-link"
      active={active}
      label={entry.label}
      leftSection={<Icon size={16} aria-hidden />}
      renderRoot={(root) => (
        <Link
          {...root}
          to={entry.to as never}
          activeOptions={{ exact: isHome }}
          {...(isBelow && { 'aria-current': 'page' as const })}
        />
      )}
    />
  );
}

function TenantSwitcher({ tenant, tenants }: { tenant: Tenant; tenants: readonly Tenant[] }) {
  const { tenantWord } = usePanel();
  const go = useGo();
  return (
    <Menu width="target" position="bottom-start">
      <Menu.Target>
        <UnstyledButton className="cf-surface" px="sm" py={8}>
          <VisuallyHidden>{words.shell.switch(tenantWord)}</VisuallyHidden>
          <Group gap="xs" wrap="nowrap">
            <Box flex={1} miw={0}>
              <Text size="sm" fw={600} truncate>
                {tenant.name}
              </Text>
              <Hint>{words.team.roles[tenant.role] ?? tenant.role}</Hint>
            </Box>
            <ChevronsUpDown size={16} aria-hidden />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {tenants.map((each) => (
          <Menu.Item
            key={each.id}
            onClick={() => go(each.to)}
            {...(each.id === tenant.id && { 'aria-current': 'true' })}
          >
            {each.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
