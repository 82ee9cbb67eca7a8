// Copies a text, and says for a moment that it did.
import { Button, CopyButton as Copy } from '@mantine/core';
import { Check, Copy as CopyIcon } from 'lucide-react';
import { words } from '../strings.ts';

export function CopyButton(props: { value: string; label?: string; size?: string }) {
  return (
    <Copy value={props.value} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          size={props.size ?? 'xs'}
          variant="default"
          flex="none"
          onClick={copy}
          leftSection={copied ? <Check size={14} /> : <CopyIcon size={14} />}
          aria-live="polite"
        >
          {copied ? words.copy.done : (props.label ?? words.copy.copy)}
        </Button>
      )}
    </Copy>
  );
}
