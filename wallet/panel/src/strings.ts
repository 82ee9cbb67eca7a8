// Every sentence of the wallet panel.
export const words = {
  name: 'Wallet',
  package: 'package',
  team: 'Team',
};
