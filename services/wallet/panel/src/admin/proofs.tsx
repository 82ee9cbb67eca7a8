// The ledgers of all packages, with the last proof of each.
import { get, post } from '@counterfoil/ui/api/request.ts';
import { formatNumber } from '@counterfoil/ui/language.ts';
import { fillPath } from '@counterfoil/ui/panel.ts';
import { ActionButton, useAction } from '@counterfoil/ui/parts/action.tsx';
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty } from '@counterfoil/ui/parts/page.tsx';
import { TablePage } from '@counterfoil/ui/table/cursor-table.tsx';
import { Badge, Group } from '@mantine/core';
import { BookOpenCheck } from 'lucide-react';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { Proof } from '../wire.ts';

const text = words.proof;

interface ListedProof {
  readonly package_id: number;
  readonly uid: string;
  readonly name: string;
  readonly sandbox: boolean;
  readonly last: {
    readonly finished_at: string;
    readonly clean: boolean;
    readonly movements: number;
    readonly accounts: number;
    readonly flaws: number;
  } | null;
}

export default function AdminProofs() {
  return (
    <TablePage<ListedProof>
      label={words.pages.adminProofs}
      text={text.text}
      queryKey={['proofs']}
      rowKey={(each) => each.package_id}
      path="/panel/admin/proofs"
      field="proofs"
      empty={<Empty title={words.admin.none} icon={BookOpenCheck} />}
      columns={[
        {
          title: words.admin.name,
          render: (each) => (
            <Group gap={6}>
              <PanelLink to={fillPath(paths.adminPackage, { managed_id: each.package_id })}>
                {each.name}
              </PanelLink>
              {each.sandbox && <Badge variant="default">{words.admin.sandbox}</Badge>}
            </Group>
          ),
        },
        { title: text.verdict, render: ({ last }) => <Verdict last={last} /> },
        {
          title: text.movements,
          align: 'right',
          render: ({ last }) => (last ? formatNumber(last.movements) : words.nothing),
        },
        {
          title: text.finished,
          render: ({ last }) => (last ? <Moment at={last.finished_at} /> : words.nothing),
        },
        { title: text.run, quiet: true, render: (each) => <RunButton proof={each} /> },
      ]}
    />
  );
}

function Verdict({ last }: Pick<ListedProof, 'last'>) {
  if (!last) return <Badge variant="default">{text.notYet}</Badge>;
  return (
    <Badge color={last.clean ? 'pine' : 'red'}>{last.clean ? text.isClean : text.hasFlaws(last.flaws)}</Badge>
  );
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 1_000));

/** Starts a proof and waits until it has finished, so that the refreshed row shows its result. */
async function prove(path: string): Promise<void> {
  let proof = await post<Proof>(path);
  while (proof.running) {
    await pause();
    proof = await get<Proof>(path);
  }
}

function RunButton({ proof }: { proof: ListedProof }) {
  const action = useAction(() => prove(`/panel/admin/packages/${proof.package_id}/proof`), {
    done: text.ended,
    refresh: ['proofs', 'proof'],
  });
  return (
    <ActionButton
      action={action}
      label={text.run}
      size="xs"
      variant="default"
      aria-label={text.runOf(proof.name)}
    />
  );
}
