// A workspace: a name, its settings, and how the panel shows it.
import { Type } from 'typebox';
import { presentTime } from '../present-time.ts';

export interface Workspace {
  readonly id: bigint;
  readonly name: string;
  readonly supportEnabled: boolean;
  readonly createdAt: Date;
}

export const WorkspaceAnswer = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  support_enabled: Type.Boolean({ description: 'Whether validation tells `supported_until`.' }),
  created_at: Type.String({ format: 'date-time' }),
});

export const presentWorkspace = (workspace: Workspace) => ({
  id: Number(workspace.id),
  name: workspace.name,
  support_enabled: workspace.supportEnabled,
  created_at: presentTime(workspace.createdAt),
});
