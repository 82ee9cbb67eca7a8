// Rotates a key: creates a new key, and keeps the old key valid for the overlap.
import { post } from '@counterfoil/ui/api/request.ts';
import { FormDialog } from '@counterfoil/ui/parts/dialog.tsx';
import { RotateForm } from '@counterfoil/ui/parts/rotate-form.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { words } from '../strings.ts';
import type { KeyDialogProps } from './edit-key.tsx';
import { NewKey } from './generate-key.tsx';

const text = words.keys;

export function RotateDialog({ apiKey: key, ...dialog }: KeyDialogProps) {
  const { base } = useTenant();
  const path = `${base}/api-keys/${key.id}/rotate`;
  return (
    <FormDialog {...dialog} title={text.rotateTitle(key.name)} size="lg" closeOnClickOutside={false}>
      {({ close, show }) => (
        <RotateForm
          text={text}
          rotate={(overlap) => post<{ secret: string }>(path, { overlap })}
          onRotated={({ secret }) =>
            show(<NewKey title={text.rotated} secret={secret} hint={text.rotatedText} />)
          }
          onCancel={close}
        />
      )}
    </FormDialog>
  );
}
