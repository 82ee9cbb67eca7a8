// The activations of a purchase, each with a button that releases it.
import { post } from '@counterfoil/ui/api/request.ts';
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { ConfirmButton } from '@counterfoil/ui/parts/confirm-dialog.tsx';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Hint, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { Rows } from '@counterfoil/ui/table/rows.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Badge, Group, Text } from '@mantine/core';
import { words } from '../strings.ts';
import type { Activation } from '../wire.ts';

const text = words.activations;
const limit = 100;

interface Page {
  readonly activations: readonly Activation[];
  readonly next_cursor?: string;
}

export function ActivationsCard({ purchaseId }: { purchaseId: number }) {
  const { id, base } = useTenant();
  const query = useGet<Page>(['activations', id, purchaseId], `${base}/activations`, {
    query: { purchase_id: purchaseId, limit },
  });
  return (
    <Surface title={text.title} text={text.text} flush>
      <QueryView query={query}>{(page) => <Shown page={page} />}</QueryView>
    </Surface>
  );
}

function Shown({ page }: { page: Page }) {
  if (page.activations.length === 0)
    return (
      <Text size="sm" p="md" pt={0}>
        {text.none}
      </Text>
    );
  return (
    <>
      <Rows
        label={text.title}
        rows={page.activations}
        rowKey={({ id }) => id}
        columns={[
          { title: text.target, render: (each) => <Target activation={each} /> },
          { title: text.seen, render: (each) => <Moment at={each.last_seen_at} /> },
          {
            title: text.release,
            quiet: true,
            render: (each) => each.state === 'active' && <ReleaseButton activation={each} />,
          },
        ]}
      />
      {page.next_cursor !== undefined && (
        <Hint size="sm" p="md">
          {text.more(limit)}
        </Hint>
      )}
    </>
  );
}

function ReleaseButton({ activation }: { activation: Activation }) {
  const { base } = useTenant();
  return (
    <ConfirmButton
      label={text.release}
      button={{ size: 'xs' }}
      run={() => post(`${base}/activations/${activation.id}/release`)}
      done={text.released}
      title={text.releaseOf(activation.target || text.erasedHost)}
      text={text.releaseText}
    />
  );
}

function Target({ activation }: { activation: Activation }) {
  const { state } = activation;
  return (
    <Group gap={6}>
      <Text size="sm" className="cf-break cf-mono">
        {activation.target || text.nameless}
      </Text>
      <Badge color={state === 'active' ? 'pine' : 'gray'}>{text.states[state]}</Badge>
      {!activation.counts && state === 'active' && <Badge color="gray">{text.free}</Badge>}
    </Group>
  );
}
