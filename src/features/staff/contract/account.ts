import * as z from 'zod/mini';
import { admin, derivedSets, grantedSets, permissionSets, roles } from '#features/account/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { anyText, options } from '#kit/contract/text.ts';
import { changes, shows } from './record.ts';

const path = '/staff';
/** A permission set that follows from the mapping, and its source: "Class teacher of Grade 5, A from 1 Jun 2026". */
const derivedRight = z.object({ set: z.enum(derivedSets), source: anyText });

const account = z.object({
  /** Null without an account. */
  account: z.nullable(
    z.object({
      id: z.number(),
      version: z.number(),
      userName: z.string(),
      roles: z.array(z.enum(roles)),
      isActive: z.boolean(),
      sets: z.array(z.enum(permissionSets)),
      branches: z.array(z.object({ id: z.number(), name: z.string() })),
      /** '' before the first sign-in. */
      lastSignInAt: z.string(),
      devices: z.number(),
    }),
  ),
  derived: z.array(derivedRight),
});
export type StaffAccount = z.infer<typeof account>;

export const channels = options('Email', 'SMS');
export const staffAccountApi = {
  account: endpoint({
    method: 'GET',
    path: `${path}/:id/account`,
    access: [admin()],
    shows: [...shows, 'account', 'session', 'section-teacher'],
    input: z.object({ id }),
    output: account,
  }),
  /** Makes the person's account and sends an invitation; again, sends another one. */
  invite: endpoint({
    method: 'POST',
    path: `${path}/:id/invite`,
    access: [admin()],
    changes: [...changes, 'account'],
    isConfirmed: true,
    input: z.object({
      id,
      channel: z.enum(channels),
      sets: z._default(listOf(z.enum(grantedSets), { most: grantedSets.length }), []),
      branchIds: z._default(listOf(id, { most: 100 }), []),
    }),
    output: z.object({}),
  }),
  /** Suspends or restores sign-in; suspending ends every session. */
  suspend: endpoint({
    method: 'POST',
    path: `${path}/:id/suspend`,
    access: [admin()],
    changes: [...changes, 'account', 'session'],
    isConfirmed: true,
    input: z.object({ id, version: id, isSuspended: z.boolean() }),
    output: z.object({}),
  }),
  /** Sets and branches of the person's account. */
  grant: endpoint({
    method: 'POST',
    path: `${path}/:id/grant`,
    access: [admin()],
    changes: [...changes, 'account'],
    isConfirmed: true,
    input: z.object({
      id,
      version: id,
      sets: z._default(listOf(z.enum(grantedSets), { most: grantedSets.length }), []),
      branchIds: z._default(listOf(id, { most: 100 }), []),
    }),
    output: z.object({}),
  }),
};
