// The frame around every page: navigation in a sidebar, or in a drawer on narrow screens.
import { AppShell, Box, Burger, Group, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useMe } from '../api/me.ts';
import { isProblem } from '../api/problem.ts';
import { type Tenant, usePanel } from '../panel.ts';
import { Failed, NotFound, PageLoading } from '../parts/page.tsx';
import { words } from '../strings.ts';
import { TenantContext, useTenantId, useTenants } from '../tenant.ts';
import { Brand } from './brand.tsx';
import { Sidebar } from './sidebar.tsx';
import { UserMenu } from './user-menu.tsx';

export function Frame() {
  const [opened, drawer] = useDisclosure();
  const { pathname } = useLocation();
  const panel = usePanel();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new page closes the drawer
  useEffect(drawer.close, [pathname]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 248, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={0}
    >
      <a className="cf-skip" href="#content">
        {words.shell.skip}
      </a>
      <PageAnnouncer />
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={drawer.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={words.shell.menu}
              aria-expanded={opened}
            />
            <Brand name={panel.name} />
          </Group>
          <UserMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="cf-sidebar" p="sm" data-closed={!opened || undefined}>
        <Sidebar />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Box maw={1280} mx="auto" px={{ base: 'sm', sm: 'xl' }} py={{ base: 'md', sm: 'xl' }}>
          <Content />
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}

/** Announces the title of the new page to screen readers, because navigation does not reload the document. */
function PageAnnouncer() {
  const { pathname } = useLocation();
  const [title, setTitle] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the title has changed with the address
  useEffect(() => setTitle(document.title), [pathname]);
  return <VisuallyHidden aria-live="polite">{title}</VisuallyHidden>;
}

function Content() {
  const me = useMe();
  const tenants = useTenants();
  const tenantId = useTenantId();
  const { banner: Banner } = usePanel();
  const failed = me.error ?? tenants.error;
  // An error replaces the page only while no data is loaded. Later, replacing the page would discard text
  // that the person has typed.
  if (!tenants.data) {
    // Without a session, the panel redirects to the sign-in page or locks the page. So the error
    // `not_signed_in` is not shown.
    const isShown = failed && !isProblem(failed, 'not_signed_in');
    return isShown ? <Failed error={failed} onRetry={() => void me.refetch()} /> : <PageLoading />;
  }
  if (tenantId === undefined) return <Outlet />;
  const tenant = tenants.data.find((each: Tenant) => each.id === tenantId);
  if (!tenant) return <NotFound />;
  return (
    <TenantContext.Provider value={tenant}>
      {Banner && <Banner tenant={tenant} />}
      {/* The key discards typed text when the tenant changes. */}
      <Outlet key={tenant.id} />
    </TenantContext.Provider>
  );
}
