// Approves, suspends, resumes and tops up a package.
import { post } from '@counterfoil/ui/api/request.ts';
import { useAction } from '@counterfoil/ui/api/use-action.ts';
import { ConfirmDialog } from '@counterfoil/ui/parts/confirm-dialog.tsx';
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { Package } from '../wire.ts';
import { TopUpButton } from './top-up.tsx';

const text = words.admin;

interface Props {
  readonly base: string;
  readonly found: Package;
}

export function PackageActions(props: Props) {
  const { state } = props.found;
  return (
    <>
      {state === 'pending' && <StateButton {...props} verb="approve" />}
      {state === 'suspended' && <StateButton {...props} verb="resume" />}
      <TopUpButton {...props} />
      {state === 'approved' && <StateButton {...props} verb="suspend" />}
    </>
  );
}

function StateButton({ base, found, verb }: Props & { verb: 'approve' | 'resume' | 'suspend' }) {
  const [opened, setOpened] = useState(false);
  const [reason, setReason] = useState('');
  const isSuspension = verb === 'suspend';
  const action = useAction(
    () => post(`${base}/${verb}`, isSuspension && reason !== '' ? { reason } : {}),
    { done: text.verbs[verb].done, onDone: () => setOpened(false) },
  );
  const { label, text: about } = text.verbs[verb];
  return (
    <>
      <Button {...(isSuspension && { variant: 'default' })} onClick={() => setOpened(true)}>
        {label}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        onConfirm={() => action.mutate()}
        title={`${label}: ${found.name}`}
        text={about}
        action={label}
        waiting={action.isPending}
        danger={isSuspension}
        {...(isSuspension && { typed: found.name })}
      >
        {isSuspension && (
          <TextInput
            label={text.reason}
            value={reason}
            maxLength={255}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
      </ConfirmDialog>
    </>
  );
}
