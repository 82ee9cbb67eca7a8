// Approves, suspends, resumes and tops up a package.
import { post } from '@counterfoil/ui/api/request.ts';
import { ConfirmButton } from '@counterfoil/ui/parts/confirm-dialog.tsx';
import { TextInput } from '@mantine/core';
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
  const [reason, setReason] = useState('');
  const isSuspension = verb === 'suspend';
  const { label, text: about, done } = text.verbs[verb];
  return (
    <ConfirmButton
      label={label}
      button={{ variant: isSuspension ? 'default' : 'filled' }}
      run={() => post(`${base}/${verb}`, isSuspension && reason !== '' ? { reason } : {})}
      done={done}
      title={`${label}: ${found.name}`}
      text={about}
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
    </ConfirmButton>
  );
}
