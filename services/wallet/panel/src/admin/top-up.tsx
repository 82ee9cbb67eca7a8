// Tops up a package or reverses a top-up. The transaction id makes a repeated request harmless.
import { post } from '@counterfoil/ui/api/request.ts';
import { DialogButton } from '@counterfoil/ui/parts/dialog.tsx';
import { Coins } from 'lucide-react';
import { MoneyForm } from '../parts/money-form.tsx';
import { words } from '../strings.ts';
import type { Package } from '../wire.ts';

const text = words.topUps;

export function TopUpButton({ base, found }: { base: string; found: Package }) {
  return (
    <DialogButton
      label={text.topUp}
      title={text.titleOf(found.name)}
      variant="default"
      leftSection={<Coins size={16} aria-hidden />}
    >
      {({ close }) => (
        <MoneyForm
          currency={found.currency}
          types={{ top_up: text.topUp, top_up_reversal: text.reverse }}
          typesLabel={text.topUp}
          send={(fields) => post(`${base}/top-ups`, fields)}
          done={text.done}
          onClose={close}
        />
      )}
    </DialogButton>
  );
}
