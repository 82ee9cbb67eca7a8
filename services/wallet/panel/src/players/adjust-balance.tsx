// Credits or debits a player. The transaction id makes a repeated request harmless.
import { post } from '@counterfoil/ui/api/request.ts';
import { DialogButton } from '@counterfoil/ui/parts/dialog.tsx';
import { toChoices } from '@counterfoil/ui/table/filters.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { MoneyForm } from '../parts/money-form.tsx';
import { words } from '../strings.ts';
import type { Player } from '../wire.ts';

const text = words.adjust;

export function AdjustButton({ player }: { player: Player }) {
  const { base } = useTenant();
  const { player_id, currency } = player;
  const [purse, setPurse] = useState('cash');
  return (
    <DialogButton label={text.title} variant="default">
      {({ close }) => (
        <MoneyForm
          intro={text.text(player_id)}
          currency={currency}
          types={{ credit: text.credit, debit: text.debit }}
          typesLabel={text.title}
          send={(fields) => post(`${base}/player/adjust`, { ...fields, player_id, purse })}
          done={text.done}
          onClose={close}
        >
          <SegmentedControl
            aria-label={text.purse}
            data={toChoices(words.ledger.purseFilter)}
            value={purse}
            onChange={setPurse}
          />
        </MoneyForm>
      )}
    </DialogButton>
  );
}
