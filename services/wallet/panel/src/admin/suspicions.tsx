// Catalogues that are not used because they are empty or shrank by half; an administrator can accept them.
import { post } from '@counterfoil/ui/api/request.ts';
import { ActionButton, useAction } from '@counterfoil/ui/parts/action.tsx';
import { formatMoment } from '@counterfoil/ui/parts/moment.tsx';
import { Alert, Group, Text } from '@mantine/core';
import { words } from '../strings.ts';
import type { Upstream } from '../wire.ts';

const text = words.provider;
type Suspicion = Upstream['suspicions'][number];

export function Suspicions({ suspicions }: Pick<Upstream, 'suspicions'>) {
  return suspicions.map((each) => <Suspected key={each.source} suspicion={each} />);
}

function Suspected({ suspicion: { source, total, since } }: { suspicion: Suspicion }) {
  const action = useAction(() => post('/panel/admin/upstream/catalogue/accept', { source, total }), {
    done: text.accepted,
  });
  return (
    <Alert color="amber" title={text.suspicion(text.sourceNames[source])}>
      <Group justify="space-between">
        <Text size="sm">{text.suspicionText(total, formatMoment(since))}</Text>
        <ActionButton action={action} label={text.accept} size="xs" variant="default" />
      </Group>
    </Alert>
  );
}
