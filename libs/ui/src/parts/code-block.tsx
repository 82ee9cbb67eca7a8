// Code to read and copy, and the button that copies a text.
import { Button, CopyButton as Copy, Group, Stack, Tabs } from '@mantine/core';
import { Check, Copy as CopyIcon } from 'lucide-react';
import { words } from '../strings.ts';
import { Hint } from './page.tsx';

export function CopyButton({ value, size = 'xs' }: { value: string; size?: string }) {
  return (
    <Copy value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          size={size}
          variant="default"
          flex="none"
          onClick={copy}
          leftSection={copied ? <Check size={14} /> : <CopyIcon size={14} />}
          aria-live="polite"
        >
          {copied ? words.copy.done : words.copy.copy}
        </Button>
      )}
    </Copy>
  );
}

/** Shows code. The region scrolls, so keyboard users must be able to focus it. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Hint>{label}</Hint>
        <CopyButton value={code} size="compact-xs" />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable */}
      <section className="cf-code" tabIndex={0} aria-label={label}>
        <pre>
          <code>{code}</code>
        </pre>
      </section>
    </Stack>
  );
}

/** Shows the same API call in several programming languages. */
export function CodeTabs({ samples }: { samples: readonly { title: string; code: string }[] }) {
  return (
    <Tabs defaultValue={samples[0]?.title ?? null} keepMounted={false}>
      <Tabs.List mb="sm" aria-label={words.code.languages}>
        {samples.map(({ title }) => (
          <Tabs.Tab key={title} value={title}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {samples.map(({ title, code }) => (
        <Tabs.Panel key={title} value={title}>
          <CodeBlock code={code} label={title} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
