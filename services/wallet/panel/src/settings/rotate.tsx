// Rotates a key pair or the AES key: shows the new secret once; the old secret stays valid for a while.
import { post } from '@counterfoil/ui/api/request.ts';
import { DialogButton } from '@counterfoil/ui/parts/dialog.tsx';
import { formatMoment } from '@counterfoil/ui/parts/moment.tsx';
import { RotateForm } from '@counterfoil/ui/parts/rotate-form.tsx';
import { type NamedSecret, Secrets } from '@counterfoil/ui/parts/secret-reveal.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { words } from '../strings.ts';

const text = words.credentials;

interface Rotated {
  readonly old_until: string;
  readonly aes_key?: string;
  readonly pair?: { readonly api_key: string; readonly api_secret: string };
}

export function RotateButton({ target }: { target: 'caller' | 'callback' | 'aes' }) {
  const { base } = useTenant();
  const rotate = (overlap: string) =>
    target === 'aes'
      ? post<Rotated>(`${base}/aes-key/rotate`, { overlap })
      : post<Rotated>(`${base}/key-pairs/rotate`, { purpose: target, overlap });
  return (
    <DialogButton
      label={text.rotateLabels[target]}
      title={text.rotateTitles[target]}
      variant="default"
      dialog={{ size: 'lg' }}
      once
    >
      {({ close, show }) => (
        <RotateForm
          text={text}
          rotate={rotate}
          onRotated={(rotated) => show(<Shown rotated={rotated} />)}
          onCancel={close}
        />
      )}
    </DialogButton>
  );
}

function Shown({ rotated }: { rotated: Rotated }) {
  const { pair, aes_key: aesKey, old_until: until } = rotated;
  const secrets: NamedSecret[] = [
    ...(pair ? [[text.key, pair.api_key] as const, [text.secret, pair.api_secret] as const] : []),
    ...(aesKey ? [[text.aes, aesKey] as const] : []),
  ];
  return <Secrets text={text.shownOnce} secrets={secrets} hint={text.oldUntil(formatMoment(until))} />;
}
