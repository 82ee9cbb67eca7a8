// The callback URL, how callbacks prove their origin, and the callback tester.
import { patch } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction } from '@counterfoil/ui/parts/action.tsx';
import { PageHeader, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Radio, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { useSettings } from '../package.ts';
import { CallbackUrl, useRegistration } from '../parts/callback-url.tsx';
import { words } from '../strings.ts';
import type { Package } from '../wire.ts';
import { CallbackTester } from './callback-tester.tsx';

const text = words.security;
const modes = ['headers', 'signed', 'encrypted'] as const;

export default function CallbackSecurity() {
  const { isOwner } = useTenant();
  const settings = useSettings();
  return (
    <>
      <PageHeader title={words.pages.callbackSecurity} text={text.text} />
      <QueryView query={settings}>
        {(data) => (
          <Stack gap="lg">
            <Url />
            <Mode key={data.package.callback_security} found={data.package} />
            <SharedLaunch found={data.package} />
            {isOwner && (
              <CallbackTester
                // A test result applies to one mode only. So the React key contains the mode: when the mode
                // changes, the tester is reset.
                key={`tester of ${data.package.callback_security}`}
                security={data.package.callback_security}
              />
            )}
          </Stack>
        )}
      </QueryView>
    </>
  );
}

function Url() {
  const query = useRegistration(useTenant().base);
  return (
    <Surface title={text.url} text={text.urlText}>
      <QueryView query={query}>
        {({ registration }) => <CallbackUrl url={registration.callback_url} />}
      </QueryView>
    </Surface>
  );
}

function Mode({ found }: { found: Package }) {
  const { base, isOwner } = useTenant();
  const [mode, setMode] = useState<string>(found.callback_security);
  const action = useAction(() => patch(base, { callback_security: mode }), { done: text.saved, quiet: true });
  return (
    <Surface title={text.mode} text={text.modeText}>
      <ActionForm
        action={action}
        submit={isOwner && words.save}
        button={{ disabled: mode === found.callback_security }}
      >
        <Radio.Group aria-label={text.mode} value={mode} onChange={setMode}>
          <Stack gap="sm">
            {modes.map((each) => (
              <Radio
                key={each}
                value={each}
                label={text.modes[each]}
                description={text.modeTexts[each]}
                disabled={!isOwner}
              />
            ))}
          </Stack>
        </Radio.Group>
      </ActionForm>
    </Surface>
  );
}

function SharedLaunch({ found }: { found: Package }) {
  const { base, isOwner } = useTenant();
  const action = useAction((shared: boolean) => patch(base, { shared_launch: shared }), { done: text.saved });
  return (
    <Surface title={text.shared}>
      <Switch
        label={text.sharedSwitch}
        description={text.sharedText}
        checked={found.shared_launch}
        disabled={!isOwner || action.isPending}
        onChange={(event) => action.mutate(event.currentTarget.checked)}
      />
    </Surface>
  );
}
