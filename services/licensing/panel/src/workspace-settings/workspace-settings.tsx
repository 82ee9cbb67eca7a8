// The settings of a workspace: name, support, limits, public profile, balance.
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { PageHeader, QueryView } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Alert, Stack } from '@mantine/core';
import { ActivationLimitsCard } from '../items/item-numbers.tsx';
import { words } from '../strings.ts';
import type { Account, Workspace } from '../wire.ts';
import { BalanceForm } from './balance-form.tsx';
import { GeneralForm } from './general-form.tsx';
import { PersonForm } from './person-form.tsx';
import { VendorClientsForm } from './vendor-clients-form.tsx';

export default function WorkspaceSettings() {
  const { id, base, isOwner } = useTenant();
  const workspace = useGet<{ workspace: Workspace }>(['workspace', id], base);
  const account = useGet<{ account: Account }>(['account', id], `${base}/account`);
  return (
    <>
      <PageHeader title={words.pages.workspace} text={words.workspaceSettings.text} />
      <Stack gap="lg" maw={820}>
        {!isOwner && <Alert color="gray">{words.ownersOnly}</Alert>}
        <QueryView query={workspace}>{(data) => <GeneralForm workspace={data.workspace} />}</QueryView>
        <ActivationLimitsCard key={id} />
        <QueryView query={workspace}>{(data) => <VendorClientsForm workspace={data.workspace} />}</QueryView>
        <QueryView query={account}>
          {(data) => (
            <>
              <PersonForm account={data.account} />
              <BalanceForm account={data.account} />
            </>
          )}
        </QueryView>
      </Stack>
    </>
  );
}
