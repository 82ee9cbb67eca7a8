// The addresses of the wallet panel's own pages: the router and the service take them from here.
export const paths = {
  team: '/p/$package_id/team',
} as const;
