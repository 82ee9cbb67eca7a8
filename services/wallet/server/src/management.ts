// Registers the management routes for each access policy: token, administrator and member.

import {
  registerInvitationRoutes,
  registerMemberRoutes,
} from '@counterfoil/identity/members/register-members';
import type { App } from '@counterfoil/kit/http/app';
import type { Throttle } from '@counterfoil/kit/http/throttle';
import type { ReportReader } from '@counterfoil/kit/postgres/report-reader';
import { createAdministratorPolicy, createMemberPolicy, createTokenPolicy } from './access-policy.ts';
import { createAuthenticateAdmin } from './admin-tokens/authenticate-admin.ts';
import { registerAdminTokens } from './admin-tokens/management-routes.ts';
import { registerAuditManagement } from './audit/management-routes.ts';
import { registerCallbackTrials } from './callback-trials/management-routes.ts';
import { registerCallbackManagement } from './callbacks/management-routes.ts';
import { registerConnectionCalls } from './connections/calls/call-routes.ts';
import {
  type ConnectionManagementDeps,
  registerConnectionManagement,
} from './connections/management-routes.ts';
import { type GameManagementDeps, registerGameManagement } from './games/management-routes.ts';
import { registerUpstreamManagement } from './games/upstream-routes.ts';
import { registerInspector } from './inspector/management-routes.ts';
import { registerJournalManagement } from './journal/management-routes.ts';
import type { Ledger } from './ledger/engine/ledger.ts';
import { registerLiveManagement } from './live/management-routes.ts';
import type { FigureWatch } from './live/watch-figures.ts';
import { type MailManagementDeps, registerMailManagement } from './mail/management-routes.ts';
import { registerCredentialManagement } from './packages/credentials/credential-routes.ts';
import { registerPackageIssue } from './packages/credentials/issue-routes.ts';
import { registerCreditManagement, registerRunway } from './packages/credit/management-routes.ts';
import type { ManagementDeps } from './packages/lock-package.ts';
import {
  registerOwnPackages,
  registerPackageAdministration,
  registerPackageManagement,
} from './packages/management-routes.ts';
import { registerRegistrationManagement } from './packages/registration/management-routes.ts';
import { createPackageScope, createPlatformScope } from './people/scope.ts';
import type { StatusFinder } from './players/find-status.ts';
import { registerPlayerManagement } from './players/management-routes.ts';
import { registerProofManagement, registerProofOverview } from './proof/management-routes.ts';
import { createProver } from './proof/run-proof.ts';
import { registerRoundManagement } from './rounds/management-routes.ts';
import { registerTransactionManagement } from './transactions/management-routes.ts';
import type { AttemptRecorder } from './transactions/record-attempts.ts';
import { registerWebhookManagement, type WebhookManagementDeps } from './webhooks/management-routes.ts';

export const managementSecurity = {
  adminToken: { type: 'http', scheme: 'bearer', description: 'An administrator token, cfa_…' },
};

export interface ManagementOptions
  extends ManagementDeps,
    GameManagementDeps,
    WebhookManagementDeps,
    MailManagementDeps,
    ConnectionManagementDeps {
  readonly reports: ReportReader;
  /** The address to which the provider sends callbacks. */
  readonly callbackUrl: string;
  readonly throttle: Throttle;
  readonly ledger: Ledger;
  readonly statuses: StatusFinder;
  readonly figures: FigureWatch;
  readonly attempts: AttemptRecorder;
}

export function registerManagement(app: App, options: ManagementOptions): void {
  const { signIn } = options;
  const byToken = createTokenPolicy(signIn, createAuthenticateAdmin(options));
  const byAdministrator = createAdministratorPolicy(signIn);
  const byMember = createMemberPolicy(signIn);
  const prover = createProver(options);
  for (const policy of [byToken, byAdministrator, byMember]) {
    registerPackageManagement(app, policy, options);
    registerPackageIssue(app, policy, options);
    registerPackageAdministration(app, policy, options);
    registerCredentialManagement(app, policy, options);
    registerCreditManagement(app, policy, options);
    registerRunway(app, policy, options);
    registerJournalManagement(app, policy, options);
    registerPlayerManagement(app, policy, options);
    registerTransactionManagement(app, policy, options);
    registerLiveManagement(app, policy, options);
    registerCallbackTrials(app, policy, options);
    registerAuditManagement(app, policy, options);
    registerProofManagement(app, policy, { prover });
    registerProofOverview(app, policy, options);
    registerRoundManagement(app, policy, options);
    registerCallbackManagement(app, policy, options);
    registerInspector(app, policy, options);
    registerGameManagement(app, policy, options);
    registerUpstreamManagement(app, policy, options);
    registerRegistrationManagement(app, policy, options);
    registerWebhookManagement(app, policy, options);
    registerConnectionManagement(app, policy, options);
    registerConnectionCalls(app, policy, options);
    registerMemberRoutes(app, createPackageScope(policy, signIn));
    registerInvitationRoutes(app, createPackageScope(policy, signIn));
  }
  registerOwnPackages(app, byMember, options);
  registerAdminTokens(app, byAdministrator, options);
  registerMailManagement(app, byAdministrator, options);
  registerMemberRoutes(app, createPlatformScope(byAdministrator, signIn));
  registerInvitationRoutes(app, createPlatformScope(byAdministrator, signIn));
}
