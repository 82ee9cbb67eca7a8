// Credits or debits a player. The transaction id makes a repeated request harmless.
import { post } from '@counterfoil/ui/api/request.ts';
import { DialogButton } from '@counterfoil/ui/parts/dialog.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { MoneyForm } from '../parts/money-form.tsx';
import { words } from '../strings.ts';
import type { Player } from '../wire.ts';

const text = words.adjust;

export function AdjustButton({ player }: { player: Player }) {
  const { base } = useTenant();
  const { player_id, currency } = player;
  return (
    <DialogButton label={text.title} variant="default">
      {({ close }) => (
        <MoneyForm
          intro={text.text(player_id)}
          currency={currency}
          types={{ credit: text.credit, debit: text.debit }}
          typesLabel={text.title}
          send={(fields) => post(`${base}/player/adjust`, { ...fields, player_id })}
          done={text.done}
          onClose={close}
        />
      )}
    </DialogButton>
  );
}
