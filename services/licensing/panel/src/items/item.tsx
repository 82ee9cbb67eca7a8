// The page of one item: fields, previews, versions, publication.
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { LinkButton, useParam } from '@counterfoil/ui/parts/links.tsx';
import { PageHeader, QueryView } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Alert, Grid, Group, Stack } from '@mantine/core';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { Item } from '../wire.ts';
import { EditItem } from './edit-item.tsx';
import { ItemMedia } from './item-media.tsx';
import { ItemState } from './item-names.tsx';
import { ActivationLimitsCard, LicenceTermsCard } from './item-numbers.tsx';
import { ItemVersions } from './item-versions.tsx';
import { PublishButton, WithdrawButton } from './publish-item.tsx';

export default function ItemPage() {
  const { id, base } = useTenant();
  const itemId = useParam('item_id');
  const query = useGet<{ item: Item }>(['items', id, Number(itemId)], `${base}/items/${itemId}`);
  return <QueryView query={query}>{({ item }) => <Shown item={item} />}</QueryView>;
}

function Shown({ item }: { item: Item }) {
  const { to } = useTenant();
  const facts = [words.items.soldAs(item.id), words.items.kinds[item.kind], item.version];
  return (
    <>
      <PageHeader
        title={item.name}
        text={
          <Group gap="xs" component="span">
            <ItemState state={item.state} />
            <span>{facts.join(' · ')}</span>
          </Group>
        }
        actions={
          <>
            <LinkButton to={to(paths.purchases, { item_id: item.id })} variant="default">
              {words.items.purchases}
            </LinkButton>
            {item.state === 'published' ? <WithdrawButton item={item} /> : <PublishButton item={item} />}
          </>
        }
      />
      {item.waiting_codes > 0 && (
        <Alert color="amber" mb="lg">
          {words.items.waiting(item.waiting_codes)}
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <EditItem key={item.id} item={item} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="lg">
            <ItemMedia item={item} />
            <ItemVersions item={item} />
            <ActivationLimitsCard key={item.id} itemId={item.id} />
            <LicenceTermsCard key={`terms ${item.id}`} itemId={item.id} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}
