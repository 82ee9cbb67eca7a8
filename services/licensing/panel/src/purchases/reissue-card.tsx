// Replaces a leaked code with a new code.
import { makeRandomHex, post } from '@counterfoil/ui/api/request.ts';
import { ConfirmButton } from '@counterfoil/ui/parts/confirm-dialog.tsx';
import { Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { Purchase } from '../wire.ts';

const text = words.purchase;

/**
 * All requests of the card have the same Idempotency-Key. So if the person repeats the request after a broken
 * connection, the code is replaced only once.
 */
export function ReissueCard({ purchase }: { purchase: Purchase }) {
  const { base } = useTenant();
  const [idempotencyKey] = useState(() => makeRandomHex(16));
  const headers = { 'idempotency-key': idempotencyKey };
  return (
    <Surface title={text.reissue} text={text.reissueText}>
      <ConfirmButton
        label={text.reissue}
        run={() => post(`${base}/purchases/${purchase.id}/reissue`, {}, { headers })}
        done={text.reissued}
        title={text.reissue}
        text={text.reissueConfirm}
        danger
      />
    </Surface>
  );
}
