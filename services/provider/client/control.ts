// The control page: faults, protocols, storms of repeated callbacks, and the list of callbacks. The page
// stores the control token only in memory.
import type { DeliveryLog } from '@counterfoil/provider/callbacks/delivery-log';
import type { ConnectionRegistry } from '@counterfoil/provider/connections/connections';
import { make, part } from './page-parts.ts';

const kinds = ['', 'down', 'unavailable', 'stall', 'html', 'empty', 'shrunk', 'huge', 'drip'];
const targets = ['private', 'public', 'shared'];
let token = '';

type Deliveries = ReturnType<DeliveryLog['list']>;

async function ask<T>(path: string, method = 'GET', body?: object): Promise<T> {
  const answer = await fetch(`/control/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const content = (await answer.json()) as T & { msg?: string };
  if (!answer.ok) throw new Error(content.msg ?? `Status ${answer.status}`);
  return content;
}

const say = (text: string) => {
  part('message').textContent = text;
};

const guard = (work: () => Promise<void>) => (event?: Event) => {
  event?.preventDefault();
  work().then(
    () => say(''),
    (error: Error) => say(error.message),
  );
};

type Faults = Record<string, string | number | boolean | null>;

function inputs(form: string): (HTMLInputElement | HTMLSelectElement)[] {
  return [...part(form).querySelectorAll<HTMLInputElement | HTMLSelectElement>('[name]')];
}

function showFaults(faults: Faults): void {
  for (const input of inputs('faults')) {
    const value = faults[input.name];
    if (input.type === 'checkbox') (input as HTMLInputElement).checked = value === true;
    else if (input.name !== 'for_seconds') input.value = value == null ? '' : String(value);
  }
  part('until').textContent = faults.until ? `Until ${faults.until}` : '';
}

function readForm(form: string): Record<string, unknown> {
  const read = (input: HTMLInputElement | HTMLSelectElement) => {
    if (input.type === 'checkbox') return (input as HTMLInputElement).checked;
    return input.type === 'number' ? Number(input.value) : input.value;
  };
  const filled = inputs(form).filter((input) => input.type === 'checkbox' || input.value !== '');
  return Object.fromEntries(filled.map((input) => [input.name, read(input)]));
}

async function refresh(): Promise<void> {
  const { deliveries, pending } = await ask<{ deliveries: Deliveries; pending: unknown[] }>('deliveries');
  part('pending').textContent = `${pending.length} callbacks not delivered yet`;
  part('deliveries').replaceChildren(
    ...deliveries.map((each) => {
      const cells = [
        each.at.slice(11, 23),
        each.uid,
        each.protocol,
        each.action,
        each.transaction_id ?? '',
        each.attempt,
        each.status ?? '–',
        `${each.verdict} ${each.detail ?? ''}`,
        each.duration_ms,
      ];
      return make('tr', each.verdict, ...cells.map((cell) => make('td', '', String(cell))));
    }),
  );
}

type Connections = { connections: ReturnType<ConnectionRegistry['list']> };

/** Shows a drop-down list of protocols for each package that has connections. */
function showProtocols({ connections }: Connections): void {
  const uids = [...new Set(connections.map(({ package_uid: uid }) => uid))];
  const labels = uids.map((uid) => {
    const select = make('select', '');
    const offer = (text: string, value: object, isChosen: boolean) => {
      const option = make('option', '', text);
      option.value = JSON.stringify(value);
      option.selected = isChosen;
      select.append(option);
    };
    const own = connections.filter(({ package_uid: of }) => of === uid);
    offer('own protocol', { connection: null }, !own.some(({ calls }) => calls));
    for (const { id, dialect, calls } of own) {
      const name = `${dialect} · ${id}`;
      offer(name, { connection: id }, calls === 'separate');
      if (dialect !== 'softswiss') continue;
      offer(`${name} · one call per round`, { connection: id, calls: 'one' }, calls === 'one');
    }
    const choose = async () => {
      const path = `protocols/${encodeURIComponent(uid)}`;
      showProtocols(await ask<Connections>(path, 'PUT', JSON.parse(select.value)));
    };
    select.addEventListener('change', guard(choose));
    return make('label', '', uid, select);
  });
  const none = make('p', '', 'No connection is known yet.');
  part('protocols').replaceChildren(...(labels.length > 0 ? labels : [none]));
}

function readEntry(): object {
  try {
    return JSON.parse(part('connection').querySelector('textarea')?.value ?? '');
  } catch {
    throw new Error('The entry is not JSON.');
  }
}

async function open(): Promise<void> {
  token = part<HTMLInputElement>('token').value;
  showFaults(await ask<Faults>('faults'));
  showProtocols(await ask<Connections>('connections'));
  await refresh();
  part('enter').hidden = true;
  part('desk').hidden = false;
  setInterval(() => void refresh().catch((error: Error) => say(error.message)), 2000);
}

for (const target of targets) {
  const select = part('faults').querySelector(`select[name=${target}]`);
  select?.append(
    ...kinds.map((kind) => {
      const option = make('option', '', kind || 'works');
      option.value = kind;
      return option;
    }),
  );
}
part('enter').addEventListener('submit', guard(open));
part('faults').addEventListener(
  'submit',
  guard(async () => showFaults(await ask<Faults>('faults', 'PUT', readForm('faults')))),
);
part('clear').addEventListener(
  'click',
  guard(async () => showFaults(await ask<Faults>('faults', 'PUT', {}))),
);
part('connection').addEventListener(
  'submit',
  guard(async () => {
    showProtocols(await ask<Connections>('connections', 'POST', readEntry()));
    part<HTMLFormElement>('connection').reset();
  }),
);
part('storm').addEventListener(
  'submit',
  guard(async () => {
    const tally = await ask<{ answers: object }>('storms', 'POST', readForm('storm'));
    part('tally').textContent = JSON.stringify(tally.answers);
    await refresh();
  }),
);
