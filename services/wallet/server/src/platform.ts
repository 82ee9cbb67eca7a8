// The tenant number of the platform, whose members are its administrators.
export const platformTenant = 0n;
