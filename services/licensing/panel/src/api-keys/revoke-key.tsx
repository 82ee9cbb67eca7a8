// Revokes a key permanently, after its name was typed.
import { post } from '@counterfoil/ui/api/request.ts';
import { ConfirmButton, ConfirmDialog } from '@counterfoil/ui/parts/confirm-dialog.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { words } from '../strings.ts';
import type { ApiKey } from '../wire.ts';
import type { KeyDialogProps } from './edit-key.tsx';

const text = words.keys;

function useQuestion(key: ApiKey) {
  const { base } = useTenant();
  return {
    label: text.revoke,
    run: () => post(`${base}/api-keys/${key.id}/revoke`),
    done: text.revoked,
    title: text.revokeTitle(key.name, key.hint),
    text: text.revokeText,
    typed: key.name,
    danger: true,
  };
}

export function RevokeDialog({ apiKey, ...dialog }: KeyDialogProps) {
  return <ConfirmDialog {...useQuestion(apiKey)} {...dialog} />;
}

export function RevokeButton({ apiKey }: { apiKey: ApiKey }) {
  const { isOwner } = useTenant();
  const question = useQuestion(apiKey);
  return isOwner && <ConfirmButton {...question} button={{ size: 'xs' }} />;
}
