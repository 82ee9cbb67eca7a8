// The credit of a package: balance, estimated time left, alert threshold, top-ups.
import { patch } from '@counterfoil/ui/api/request.ts';
import { formatNumber } from '@counterfoil/ui/language.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { readAmount, writeAmount } from '@counterfoil/ui/parts/amount.ts';
import { Figure, Hint, PageHeader, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useCredit, useSettings } from '../package.ts';
import { formatMoney } from '../parts/amount.tsx';
import { formatRunway } from '../shell/banner.tsx';
import { words } from '../strings.ts';
import type { Credit, Package } from '../wire.ts';
import { TopUps } from './top-ups.tsx';

const text = words.credit;

export default function CreditPage() {
  const { id, base } = useTenant();
  const credit = useCredit(id);
  const settings = useSettings();
  return (
    <>
      <PageHeader title={words.pages.credit} text={text.text} />
      <Stack gap="lg">
        <QueryView query={credit}>{(data) => <Figures credit={data} />}</QueryView>
        <QueryView query={settings}>
          {(data) => <Threshold key={data.package.alert_threshold} found={data.package} />}
        </QueryView>
        <TopUps path={`${base}/top-ups`} />
      </Stack>
    </>
  );
}

function Figures({ credit }: { credit: Credit }) {
  const { currency, runway } = credit;
  const pace = runway
    ? text.spent(formatMoney(runway.spent, currency), formatNumber(runway.over_hours))
    : text.notSpent;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <Figure
        label={text.left}
        value={formatMoney(credit.balance, currency)}
        note={credit.credit_alert ? words.banner.levels[credit.credit_alert.level] : text.fine}
      />
      <Figure label={text.runway} value={formatRunway(credit) ?? text.endless} note={pace} />
    </SimpleGrid>
  );
}

function Threshold({ found }: { found: Package }) {
  const { base, isOwner } = useTenant();
  const { currency } = found;
  const { values, field } = useFields({ alert_threshold: writeAmount(found.alert_threshold, currency) });
  const save = () => patch(base, { alert_threshold: readAmount(values.alert_threshold) });
  const action = useAction(save, { done: text.saved, quiet: true });
  return (
    <Surface title={text.threshold} text={text.thresholdText}>
      <ActionForm action={action} gap="sm" maw={420}>
        <Group align="flex-end">
          <TextInput
            label={text.warnAt(currency)}
            inputMode="decimal"
            disabled={!isOwner}
            flex={1}
            {...field('alert_threshold', action.error)}
          />
          {isOwner && (
            <Button type="submit" loading={action.isPending}>
              {words.save}
            </Button>
          )}
        </Group>
        <Hint>{text.overdraft(formatMoney(found.overdraft_limit, currency))}</Hint>
      </ActionForm>
    </Surface>
  );
}
