// A workspace: its name, its settings, and the fields that the panel shows.

import { presentTime } from '@counterfoil/kit/http/answers';
import { Type } from 'typebox';
import { NamedObject } from '../wire/input.ts';

export interface Workspace {
  readonly id: bigint;
  readonly name: string;
  readonly supportEnabled: boolean;
  /** The months of support that a new sale gets by default. 0 means no support. */
  readonly supportMonths: number;
  readonly createdAt: Date;
}

export const supportMonthsMeaning =
  'Months of support of a new sale without `supported_until`; 0 means no support.';

export const maxSupportMonths = 120;

export const WorkspaceAnswer = NamedObject('Workspace', {
  id: Type.Integer(),
  name: Type.String(),
  support_enabled: Type.Boolean({ description: 'Whether validation answers contain `supported_until`.' }),
  support_months: Type.Integer({ description: supportMonthsMeaning }),
  created_at: Type.String({ format: 'date-time' }),
});

export const presentWorkspace = (workspace: Workspace) => ({
  id: Number(workspace.id),
  name: workspace.name,
  support_enabled: workspace.supportEnabled,
  support_months: workspace.supportMonths,
  created_at: presentTime(workspace.createdAt),
});
