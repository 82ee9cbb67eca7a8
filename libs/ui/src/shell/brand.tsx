// The logo: a ticket with its counterfoil.
import { Group, Text } from '@mantine/core';
import { words } from '../strings.ts';

export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect x="2" y="6" width="28" height="20" rx="4" fill="#18704f" />
      <line
        x1="12"
        y1="8"
        x2="12"
        y2="24"
        stroke="#ffffff"
        strokeWidth="2"
        strokeDasharray="2 3"
        strokeLinecap="round"
      />
      <path
        d="M17.5 16.2l2.6 2.6 5-5.4"
        fill="none"
        stroke="#ffffff"
        strokeWidth="2.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

export function Brand({ name }: { name: string }) {
  return (
    <Group gap={8} wrap="nowrap">
      <Mark />
      <Text fw={680} fz={15} lh={1}>
        {words.brand}
      </Text>
      <Text c="dimmed" fz={15} lh={1}>
        {name}
      </Text>
    </Group>
  );
}
