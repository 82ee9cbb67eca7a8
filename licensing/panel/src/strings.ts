// Every sentence of the licensing panel.
export const words = {
  name: 'Licensing',
  workspace: 'workspace',
  team: 'Team',
  audit: 'Audit log',
};
