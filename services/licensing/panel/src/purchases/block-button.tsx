// The button that blocks or unblocks a purchase with one click, and the card with this button.
import { post } from '@counterfoil/ui/api/request.ts';
import { ActionButton, useAction } from '@counterfoil/ui/parts/action.tsx';
import { Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { words } from '../strings.ts';
import type { ListedPurchase } from '../wire.ts';

const text = words.abuse;

/** The click needs no confirmation, because it can be undone with the same button. */
export function BlockButton({ purchase }: { purchase: ListedPurchase }) {
  const { base } = useTenant();
  const isBlocked = purchase.blocked_at !== '';
  const verb = isBlocked ? 'unblock' : 'block';
  const action = useAction(() => post(`${base}/purchases/${purchase.id}/${verb}`), {
    done: isBlocked ? text.unblocked : text.blockedDone,
    refresh: ['abuse', 'purchases', 'activations', 'audit'],
  });
  const label = isBlocked ? text.unblock : text.block;
  return (
    <ActionButton
      action={action}
      label={label}
      aria-label={`${label} ${purchase.code_hint}`}
      size="xs"
      {...(isBlocked ? { variant: 'default' } : { color: 'red', variant: 'light' })}
    />
  );
}

export const BlockCard = ({ purchase }: { purchase: ListedPurchase }) => (
  <Surface
    title={purchase.blocked_at === '' ? text.block : text.unblock}
    text={purchase.blocked_at === '' ? text.blockText : text.unblockText}
  >
    <BlockButton purchase={purchase} />
  </Surface>
);
