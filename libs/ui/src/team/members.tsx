// The members of a tenant: their roles can be changed, and they can be removed.
import { Badge, Group, Select, Text } from '@mantine/core';
import { patch, remove } from '../api/request.ts';
import { useAction } from '../parts/action.tsx';
import { ConfirmButton } from '../parts/confirm-dialog.tsx';
import { Moment } from '../parts/moment.tsx';
import { words } from '../strings.ts';
import { Noted, Rows } from '../table/rows.tsx';
import type { TeamProps } from './team-page.tsx';

export interface Member {
  readonly person_id: number;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly second_factor: boolean;
  readonly disabled: boolean;
  readonly joined_at: string;
}

type Props = TeamProps & { members: readonly Member[]; ownId: number | undefined };

export function Members(props: Props) {
  const { ownId, canManage } = props;
  return (
    <Rows
      label={words.team.members}
      rows={props.members}
      rowKey={(member) => member.person_id}
      columns={[
        {
          title: words.team.name,
          render: (member) => (
            <Noted note={member.email}>
              <Group gap={6}>
                <Text size="sm" fw={550}>
                  {member.name}
                </Text>
                {member.person_id === ownId && <Badge variant="default">{words.team.you}</Badge>}
                {member.disabled && <Badge color="red">{words.team.disabled}</Badge>}
              </Group>
            </Noted>
          ),
        },
        { title: words.team.role, render: (member) => <Role {...props} member={member} /> },
        {
          title: words.team.factor,
          render: (member) => (member.second_factor ? words.factor.on : words.factor.off),
        },
        { title: words.team.joined, render: (member) => <Moment at={member.joined_at} /> },
        {
          title: words.team.remove,
          quiet: true,
          render: (member) =>
            (canManage || member.person_id === ownId) && (
              <Removal {...props} member={member} isSelf={member.person_id === ownId} />
            ),
        },
      ]}
    />
  );
}

function Role(props: Props & { member: Member }) {
  const { member, roles } = props;
  const action = useAction((role: string) => patch(`${props.membersPath}/${member.person_id}`, { role }), {
    done: words.team.roleChanged,
  });
  const label = words.team.roles[member.role] ?? member.role;
  if (!props.canManage || roles.length < 2) return label;
  return (
    <Select
      size="xs"
      w={120}
      aria-label={words.team.roleOf(member.name)}
      allowDeselect={false}
      data={roles.map((role) => ({ value: role, label: words.team.roles[role] ?? role }))}
      value={member.role}
      disabled={action.isPending}
      onChange={(role) => role && role !== member.role && action.mutate(role)}
    />
  );
}

function Removal(props: Props & { member: Member; isSelf: boolean }) {
  const { member, isSelf } = props;
  const verb = isSelf ? words.team.leave : words.team.remove;
  const title = isSelf ? verb : words.team.removeOf(member.name);
  return (
    <ConfirmButton
      label={verb}
      button={{ size: 'xs', 'aria-label': title }}
      run={() => remove(`${props.membersPath}/${member.person_id}`)}
      done={words.team.removed}
      onDone={() => isSelf && window.location.assign('/')}
      title={title}
      text={isSelf ? words.team.leaveText : words.team.removeText(member.name)}
      danger
    />
  );
}
