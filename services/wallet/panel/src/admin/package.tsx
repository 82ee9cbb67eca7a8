// The administrators' page of a package: state, credit, limits, registration, connections, proof, audit log.
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { AuditTable } from '@counterfoil/ui/audit/audit-page.tsx';
import { useParam } from '@counterfoil/ui/parts/links.tsx';
import { formatMoment } from '@counterfoil/ui/parts/moment.tsx';
import { Facts, PageHeader, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { SimpleGrid, Stack } from '@mantine/core';
import { TopUps } from '../credit/top-ups.tsx';
import { formatMoney } from '../parts/amount.tsx';
import { PackageState } from '../parts/badges.tsx';
import { CallbackUrl, useRegistration } from '../parts/callback-url.tsx';
import { ProofView } from '../proof/proof.tsx';
import { words } from '../strings.ts';
import type { Package } from '../wire.ts';
import { PackageActions } from './package-actions.tsx';
import { PackageConnections } from './package-connections.tsx';
import { TermsForm } from './terms-form.tsx';

const text = words.admin;

export default function AdminPackage() {
  const id = useParam('managed_id');
  const base = `/panel/admin/packages/${encodeURIComponent(id)}`;
  const query = useGet<{ package: Package }>(['admin-package', id], base);
  return (
    <QueryView query={query}>
      {({ package: found }) => (
        <>
          <PageHeader
            title={found.name}
            text={found.uid}
            actions={<PackageActions base={base} found={found} />}
          />
          <Stack gap="lg">
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
              <About found={found} />
              <KnownToProvider base={base} />
            </SimpleGrid>
            <TermsForm key={JSON.stringify(found)} base={base} found={found} />
            <PackageConnections base={base} />
            <ProofView path={`${base}/proof`} />
            <TopUps path={`${base}/top-ups`} />
            <Surface title={words.pages.audit} flush>
              <AuditTable path={`${base}/audit-log`} />
            </Surface>
          </Stack>
        </>
      )}
    </QueryView>
  );
}

function About({ found }: { found: Package }) {
  const { currency } = found;
  return (
    <Surface title={text.about}>
      <Facts
        facts={[
          [text.state, <PackageState key="state" found={found} />],
          [text.unit, text.unitOf(currency, found.decimals)],
          [words.pages.credit, formatMoney(found.balance, currency)],
          [text.threshold, formatMoney(found.alert_threshold, currency)],
          [text.overdraft, formatMoney(found.overdraft_limit, currency)],
          [text.domains, found.domains.join(', ') || words.none],
          [text.security, words.security.modes[found.callback_security]],
          [text.made, formatMoment(found.created_at)],
        ]}
      />
    </Surface>
  );
}

function KnownToProvider({ base }: { base: string }) {
  const query = useRegistration(base, 5_000);
  return (
    <Surface title={text.registration}>
      <QueryView query={query}>
        {({ registration: each }) => (
          <Facts
            facts={[
              [words.admin.state, each.pending ? text.isPending : text.isKnown],
              [text.registeredAt, each.registered_at ? formatMoment(each.registered_at) : words.never],
              [text.attempts, String(each.attempts)],
              [text.nextTry, each.next_try_at ? formatMoment(each.next_try_at) : words.none],
              [words.provider.lastFailure, each.last_error ?? words.none],
              [words.security.url, <CallbackUrl key="url" url={each.callback_url} />],
            ]}
          />
        )}
      </QueryView>
    </Surface>
  );
}
