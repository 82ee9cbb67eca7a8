// The sessions of the signed-in person, each with a button that ends it.
import { Badge, Button, Group, Text } from '@mantine/core';
import { useSignOut } from '../api/me.ts';
import { remove } from '../api/request.ts';
import { useGet } from '../api/use-get.ts';
import { useAction } from '../parts/action.tsx';
import { Moment } from '../parts/moment.tsx';
import { QueryView, Surface } from '../parts/page.tsx';
import { words } from '../strings.ts';
import { Rows } from '../table/rows.tsx';

interface OwnSession {
  readonly id: number;
  readonly current: boolean;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly address: string;
  readonly user_agent: string;
}

const browsers = ['Edg', 'Firefox', 'Chrome', 'Safari', 'curl'];
const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS', 'Linux'];

/**
 * Guesses the browser and the operating system from the user agent. If both are unknown, returns the first 60
 * characters of the user agent.
 */
function nameBrowser(userAgent: string): string {
  const browser = browsers.find((each) => userAgent.includes(each));
  const system = systems.find((each) => userAgent.includes(each));
  const parts = [browser === 'Edg' ? 'Edge' : browser, system].filter(Boolean);
  return parts.join(' · ') || userAgent.slice(0, 60);
}

export function Sessions() {
  const query = useGet<{ sessions: OwnSession[] }>(['sessions'], '/panel/sessions');
  return (
    <Surface title={words.account.sessions} text={words.account.sessionsText} flush>
      <QueryView query={query}>
        {({ sessions }) => (
          <Rows
            label={words.account.sessions}
            rows={sessions}
            rowKey={({ id }) => id}
            columns={[
              {
                title: words.account.browser,
                render: (session) => (
                  <Group gap={6}>
                    <Text size="sm">{nameBrowser(session.user_agent)}</Text>
                    {session.current && <Badge variant="light">{words.account.thisOne}</Badge>}
                  </Group>
                ),
              },
              {
                title: words.account.address,
                render: ({ address }) => <span className="cf-mono">{address}</span>,
              },
              { title: words.account.lastSeen, render: (session) => <Moment at={session.last_seen_at} /> },
              { title: words.account.since, render: (each) => <Moment at={each.created_at} /> },
              { title: words.account.end, quiet: true, render: (session) => <End session={session} /> },
            ]}
          />
        )}
      </QueryView>
    </Surface>
  );
}

function End({ session }: { session: OwnSession }) {
  const signOut = useSignOut();
  const action = useAction(() => remove(`/panel/sessions/${session.id}`), {
    done: words.account.ended,
    refresh: ['sessions'],
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={action.isPending}
      onClick={() => (session.current ? void signOut() : action.mutate())}
      aria-label={words.account.endOf(nameBrowser(session.user_agent))}
    >
      {words.account.end}
    </Button>
  );
}
