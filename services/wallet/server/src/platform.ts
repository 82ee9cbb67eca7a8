// The tenant number of the platform itself, whose members are its administrators.
export const platformTenant = 0n;
