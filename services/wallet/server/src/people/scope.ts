// Where people belong: a package with its owners and members, or the platform with its administrators.
import type { Role } from '@counterfoil/identity/members/person';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { type TProperties, Type } from 'typebox';
import { type Door, getHome, PackageParams } from '../access-policy.ts';
import { platformTenant } from '../platform.ts';

export interface Place {
  readonly door: Door;
  readonly members: string;
  readonly invitations: string;
  readonly params: TProperties;
  readonly roles: readonly Role[];
  readonly admit: (wanted: { role: 'owner' | 'member' }) => onRequestAsyncHookHandler;
  readonly tenantOf: (request: FastifyRequest) => bigint;
}

/** A twin's people are those of the real package, wherever they are changed. */
export const createPackagePlace = (door: Door): Place => ({
  door,
  members: `${door.packagePath}/members`,
  invitations: `${door.packagePath}/invitations`,
  params: PackageParams,
  roles: ['owner', 'member'],
  admit: door.admitTo,
  tenantOf: (request) => getHome(request).tenantId,
});

export const createPlatformPlace = (door: Door): Place => ({
  door,
  members: `${door.prefix}/administrators`,
  invitations: `${door.prefix}/administrator-invitations`,
  params: {},
  roles: ['administrator'],
  admit: () => door.admit,
  tenantOf: () => platformTenant,
});

export const RoleOf = (place: Place) => Type.Enum([...place.roles]);
