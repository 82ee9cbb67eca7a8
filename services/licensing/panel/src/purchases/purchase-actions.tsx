// The state of a purchase as a badge, and the buttons that change it.
import { post } from '@counterfoil/ui/api/request.ts';
import { ConfirmButton } from '@counterfoil/ui/parts/confirm-dialog.tsx';
import { Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Badge, Group, Text } from '@mantine/core';
import { words } from '../strings.ts';
import type { ListedPurchase, Purchase } from '../wire.ts';

const colors: Record<string, string> = {
  active: 'pine',
  refunded: 'gray',
  cancelled: 'gray',
  disputed: 'amber',
};

/** The state of a purchase, and whether the purchase is blocked. */
export const PurchaseState = ({ state, blocked_at }: Pick<ListedPurchase, 'state' | 'blocked_at'>) => (
  <Group gap={6}>
    <Badge color={colors[state] ?? 'gray'}>{words.purchases.states[state]}</Badge>
    {blocked_at !== '' && <Badge color="red">{words.abuse.badge}</Badge>}
  </Group>
);

const text = words.purchase;

interface Change {
  readonly path: string;
  readonly label: string;
  readonly text: string;
  readonly final?: boolean;
}

const refund = { path: 'refund', label: text.refund, text: text.refundText, final: true };
const cancel = { path: 'cancel', label: text.cancel, text: text.cancelText, final: true };
const dispute = { path: 'dispute', label: text.dispute, text: text.disputeText };
const won = { path: 'dispute-won', label: text.won, text: text.wonText };

/** The changes of state that the service allows, by the current state. */
const changes: Readonly<Record<string, readonly Change[]>> = {
  active: [refund, cancel, dispute],
  disputed: [won, refund],
};

export function PurchaseActions({ purchase }: { purchase: Purchase }) {
  const { base } = useTenant();
  const open = changes[purchase.state] ?? [];
  return (
    <Surface title={text.actions} text={text.actionsText}>
      {open.length === 0 ? (
        <Text size="sm">{text.final}</Text>
      ) : (
        <Group>
          {open.map(({ path, label, text: about, final }) => (
            <ConfirmButton
              key={path}
              label={label}
              run={() => post(`${base}/purchases/${purchase.id}/${path}`)}
              done={text.doneState}
              title={label}
              text={about}
              {...(final && { danger: true, typed: purchase.code_hint.replace('…', '') })}
            />
          ))}
        </Group>
      )}
    </Surface>
  );
}
