// `/`: redirects to the first tenant, or to sign-in. Without a tenant, shows a text and a sign-out button.
import { Button, Center } from '@mantine/core';
import { useEffect } from 'react';
import { useMe, useSignOut } from '../api/me.ts';
import { isProblem } from '../api/problem.ts';
import { useGo } from '../parts/links.tsx';
import { Empty, Failed, PageLoading } from '../parts/page.tsx';
import { words } from '../strings.ts';
import { useTenants } from '../tenant.ts';

export default function HomePage() {
  const me = useMe();
  const tenants = useTenants();
  const signOut = useSignOut();
  const go = useGo();
  const first = tenants.data?.[0];
  useEffect(() => {
    if (first) go(first.to, { replace: true });
  }, [first, go]);
  const failed = me.error ?? tenants.error;
  if (isProblem(failed, 'not_signed_in')) return <PageLoading />;
  if (failed) return <Failed error={failed} onRetry={() => window.location.reload()} />;
  if (!tenants.data || first) return <PageLoading />;
  return (
    <Center mih="80vh" component="main">
      <Empty
        title={words.home.noTenants}
        text={words.home.noTenantsText}
        action={
          <Button variant="default" onClick={() => void signOut()}>
            {words.shell.signOut}
          </Button>
        }
      />
    </Center>
  );
}
