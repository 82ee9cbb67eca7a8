// The first steps of a new workspace; hidden when all are done.
import { LinkButton } from '@counterfoil/ui/parts/links.tsx';
import { Hint, Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Box, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { CircleCheck, CircleDashed } from 'lucide-react';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { Overview } from '../wire.ts';

const { checklist } = words;

export function Checklist({ progress }: { progress: Overview['progress'] }) {
  const { to } = useTenant();
  const steps = [
    { ...checklist.key, done: progress.has_key, to: to(paths.apiKeys) },
    { ...checklist.item, done: progress.has_item, to: to(paths.items) },
    { ...checklist.call, done: progress.first_call_seen, to: to(paths.check) },
    { ...checklist.code, action: words.pages.check, done: progress.first_valid_code, to: to(paths.check) },
  ];
  if (steps.every(({ done }) => done)) return null;
  return (
    <Surface title={checklist.title} text={checklist.text}>
      <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map((step) => (
          <Step key={step.title} {...step} />
        ))}
      </Stack>
    </Surface>
  );
}

function Step(step: { done: boolean; title: string; text: string; action: string; to: string }) {
  const Icon = step.done ? CircleCheck : CircleDashed;
  return (
    <Group component="li" justify="space-between" wrap="wrap">
      <Group gap="sm" wrap="nowrap" align="flex-start" flex="1 1 240px">
        <Box c={step.done ? 'pine.6' : 'dimmed'} pt={1}>
          <Icon size={20} aria-hidden />
        </Box>
        <Stack gap={0}>
          <Text fw={550} size="sm" {...(step.done && { c: 'dimmed' })}>
            {step.title}
            <VisuallyHidden>{step.done ? ` (${checklist.done})` : ` (${checklist.open})`}</VisuallyHidden>
          </Text>
          <Hint size="sm">{step.text}</Hint>
        </Stack>
      </Group>
      {!step.done && (
        <LinkButton to={step.to} variant="default" size="xs">
          {step.action}
        </LinkButton>
      )}
    </Group>
  );
}
