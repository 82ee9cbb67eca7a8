// The timeline of a transaction id: stored, repeated and refused attempts.
import { formatAmount } from '@counterfoil/ui/parts/amount.ts';
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { formatMoment } from '@counterfoil/ui/parts/moment.tsx';
import { Hint } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Badge, Box, Group, Text } from '@mantine/core';
import { useCurrency } from '../parts/amount.tsx';
import { formatKind, formatResult, PromoBadge } from '../parts/badges.tsx';
import { paths } from '../paths.ts';
import { nameConnection } from '../providers/connection.ts';
import { words } from '../strings.ts';
import type { Inspected } from '../wire.ts';
import { type Attempt, type Delivery, listSteps } from './steps.ts';

const text = words.inspector;

export function Attempts({ found }: { found: Inspected }) {
  return (
    <ol className="cf-timeline" aria-label={text.attempts}>
      {listSteps(found).map((step) => (
        <li
          key={'delivery' in step ? `d${step.delivery.sequence}` : `${step.attempt.space}${step.attempt.id}`}
          data-tone={step.tone}
        >
          {'delivery' in step ? <Stored {...step} /> : <Later attempt={step.attempt} />}
        </li>
      ))}
    </ol>
  );
}

function Stored({ delivery, tone }: { delivery: Delivery; tone: string }) {
  const { to } = useTenant();
  const currency = useCurrency();
  const show = (value: number) => formatAmount(value, currency);
  const { connection, round_id: round, shortfall } = delivery;
  const toRound = (round_id: string) =>
    to(paths.round, { round_id, player_id: delivery.player_id, connection_id: connection?.id });
  const facts = [delivery.game_id, shortfall && words.ledger.shortfall(show(shortfall))];
  return (
    <Box>
      <Group gap={8}>
        <Text fw={600}>{formatKind(delivery.kind)}</Text>
        <Badge color={tone === 'refused' ? 'red' : 'pine'}>{formatResult(delivery.result)}</Badge>
        <Badge variant="default">
          {connection ? nameConnection(connection) : text.spaces[delivery.space]}
        </Badge>
        <PromoBadge purse={delivery.purse} />
      </Group>
      <Text size="sm">
        {tone === 'refused'
          ? text.refusedFor(show(delivery.amount), show(delivery.balance))
          : text.storedAs(show(delivery.amount), show(delivery.balance), delivery.sequence)}{' '}
        <PanelLink to={to(paths.player, { player_id: delivery.player_id })} underline="always">
          {delivery.player_id}
        </PanelLink>
        {round && (
          <>
            {' · '}
            {text.inRound}{' '}
            <PanelLink to={toRound(round)} underline="always" className="cf-break">
              {round}
            </PanelLink>
          </>
        )}
      </Text>
      <When at={delivery.created_at} more={facts.filter(Boolean).join(' · ')} />
    </Box>
  );
}

const codes: Record<string, string> = words.refusals;

function describeAttempt(attempt: Attempt): string {
  const { outcome, code, field, status } = attempt;
  if (outcome === 'repeated') return text.replayed(formatResult(attempt.result ?? ''));
  const why = (code && codes[code]) ?? code ?? '';
  if (code === 'transaction_conflict' && field) return text.conflict(field);
  if (outcome === 'refused' && attempt.result) return text.refusedAgain(why);
  if (outcome === 'failed') return text.failed(status, why);
  return field ? text.refusedField(why, field) : why;
}

function Later({ attempt }: { attempt: Attempt }) {
  const { outcome, attempts } = attempt;
  return (
    <Box>
      <Group gap={8}>
        <Text fw={600}>{text.outcomes[outcome]}</Text>
        <Badge color={outcome === 'repeated' ? 'gray' : 'red'}>{attempt.status}</Badge>
        <Badge variant="default">{text.spaces[attempt.space]}</Badge>
        {attempts > 1 && <Badge variant="default">{text.times(attempts)}</Badge>}
      </Group>
      <Text size="sm" className="cf-break">
        {describeAttempt(attempt)}
      </Text>
      <When at={attempt.at} more={text.from(attempt.address, attempt.request_id)} />
    </Box>
  );
}

function When({ at, more }: { at: string; more: string }) {
  return (
    <Hint className="cf-break">
      {formatMoment(at)} {more && `· ${more}`}
    </Hint>
  );
}
