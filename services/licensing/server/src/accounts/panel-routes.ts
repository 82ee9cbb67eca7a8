// Reads and changes the seller's profile in the panel.

import { panelRoute } from '@counterfoil/identity/panel-route';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { MailOrNoneText, PrintableText } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import { getMembership, type PanelDeps, workspaceRoute } from '../people/require-membership.ts';
import { isWebAddress, Prose, Url } from '../wire/input.ts';
import { Problems } from '../wire/refusals.ts';
import { AccountAnswer, presentAccount } from './account.ts';
import { changeAccount } from './change-account.ts';
import { getAccount } from './queries.ts';

const path = '/panel/workspaces/:workspace_id/account';
const Shown = Type.Object({ account: AccountAnswer });

const Line = PrintableText({ max: 200 });
const MailAddress = MailOrNoneText({ max: 254 });

const Change = Type.Object({
  firstname: Type.Optional(Line),
  lastname: Type.Optional(Line),
  username: Type.Optional(Line),
  email: Type.Optional(MailAddress),
  heading: Type.Optional(Line),
  description: Type.Optional(Prose(10_000)),
  contact_email: Type.Optional(MailAddress),
  social_links: Type.Optional(
    Type.Record(Type.String({ pattern: '^[\\w .-]{1,50}$' }), Url, {
      maxProperties: 50,
      additionalProperties: false,
    }),
  ),
  avatar: Type.Optional(Url),
  cover: Type.Optional(Url),
});

export function registerAccountPanelRoutes(app: App, deps: PanelDeps): void {
  const { db, now } = deps;
  const present = async (workspaceId: bigint) => ({
    account: presentAccount(await getAccount(db, workspaceId)),
  });

  const reading = workspaceRoute(deps, 'member', panelRoute("Read the seller's profile", Shown));
  app.get(path, reading, async (request) =>
    answer(request, await present(getMembership(request).workspaceId)),
  );

  const changeSchema = { ...panelRoute("Change the seller's profile", Shown), body: Change };
  const changing = workspaceRoute(deps, 'owner', changeSchema);
  app.patch(path, changing, async (request) => {
    const { workspaceId, actor } = getMembership(request);
    const { contact_email, social_links, avatar, cover, ...same } = request.body;
    const to = {
      firstname: same.firstname,
      lastname: same.lastname,
      username: same.username,
      email: same.email,
      heading: same.heading,
      description: same.description,
      contactEmail: contact_email,
      socialLinks: social_links,
      avatarUrl: avatar,
      coverUrl: cover,
    };
    checkAddresses([
      ['avatar', avatar],
      ['cover', cover],
      ...Object.entries(social_links ?? {}).map(([name, to]) => [`social_links.${name}`, to] as const),
    ]);
    await db.transaction((tx) => changeAccount(tx, { workspaceId, actor, at: now(), to }));
    return answer(request, await present(workspaceId));
  });
}

function checkAddresses(given: readonly (readonly [string, string | undefined])[]): void {
  const problems = new Problems();
  for (const [field, address = ''] of given) {
    if (!isWebAddress(address)) problems.add(field, 'must be an http(s) address, or empty.');
  }
  problems.throwIfAny();
}
