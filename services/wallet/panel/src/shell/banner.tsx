// The banners above every page of a package: sandbox, state, low credit.
import { fillPath, type Tenant } from '@counterfoil/ui/panel.ts';
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { Alert, Group, Stack, Text } from '@mantine/core';
import { CircleAlert, FlaskConical, Hourglass, type LucideIcon, TriangleAlert } from 'lucide-react';
import { useCredit } from '../package.ts';
import { formatMoney } from '../parts/amount.tsx';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { Credit } from '../wire.ts';

const text = words.banner;
const colors = { low: 'amber', critical: 'red', exhausted: 'red' } as const;

export function Banner({ tenant }: { tenant: Tenant }) {
  const { data: credit } = useCredit(tenant.id);
  if (!credit) return null;
  return (
    <Stack gap="xs" mb="md" className="cf-banners">
      {credit.sandbox && <Line icon={FlaskConical} color="gray" title={text.sandbox} />}
      {credit.state === 'pending' && (
        <Line icon={Hourglass} color="amber" title={text.pending} text={text.pendingText} />
      )}
      {credit.state === 'suspended' && (
        <Line icon={CircleAlert} color="red" title={text.suspended} text={text.suspendedText} />
      )}
      {credit.credit_alert && <LowCredit tenant={tenant} credit={credit} />}
    </Stack>
  );
}

export function describeRunway(credit: Credit): string {
  const left = formatRunway(credit);
  if (left === undefined) return text.noRunway;
  return credit.runway?.hours === 0 ? text.noneLeft : text.hoursLeft(left);
}

/** The estimated time left; undefined if the credit does not decrease. */
export function formatRunway({ runway }: Credit): string | undefined {
  if (!runway) return undefined;
  const { hours } = runway;
  if (hours < 1) return text.minutes(Math.floor(hours * 60));
  return hours < 48 ? text.hours(Math.floor(hours)) : text.days(Math.floor(hours / 24));
}

function LowCredit({ tenant, credit }: { tenant: Tenant; credit: Credit }) {
  const { level } = credit.credit_alert as NonNullable<Credit['credit_alert']>;
  const left = text.left(formatMoney(credit.balance, credit.currency));
  return (
    <Line
      icon={TriangleAlert}
      color={colors[level]}
      title={text.levels[level]}
      text={`${left} ${describeRunway(credit)}`}
      to={fillPath(paths.credit, { package_id: tenant.id })}
    />
  );
}

function Line(props: { icon: LucideIcon; color: string; title: string; text?: string; to?: string }) {
  const Icon = props.icon;
  return (
    <Alert color={props.color} py={8} icon={<Icon size={18} aria-hidden />}>
      <Group gap={8} justify="space-between">
        <Text size="sm" c="var(--mantine-color-text)">
          <strong>{props.title}</strong> {props.text}
        </Text>
        {props.to && (
          <PanelLink to={props.to} fz="sm" c="var(--mantine-color-text)" underline="always">
            {text.toCredit}
          </PanelLink>
        )}
      </Group>
    </Alert>
  );
}
