import * as z from 'zod/mini';
import { admin, grantedSets, roles } from '#access/contract/grants.ts';
import { changes, shows } from '#features/staff/contract/record.ts';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { showDate } from '#kit/contract/day.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id, idAndVersion, oneOf, optionalOneOf } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { selection } from '#kit/contract/list-view.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { options, text } from '#kit/contract/text.ts';
import { derivedFrom, derivedRight, grantFields } from './account.ts';

const path = '/staff';
const account = z.object({
  /** Null without an account. */
  account: z.nullable(
    z.object({
      id: z.number(),
      version: z.number(),
      userName: z.string(),
      roles: z.array(z.enum(roles)),
      /** Neither suspended nor past its last day. */
      isActive: z.boolean(),
      /** The last day of access; '' without one. */
      endsOn: z.string(),
      sets: z.array(z.enum(grantedSets)),
      /** The branches that the sets are limited to; every branch if empty. */
      branches: z.array(z.object({ id: z.number(), name: z.string() })),
      derived: z.array(derivedRight),
      /** '' before the first sign-in. */
      lastSignInAt: z.string(),
      devices: z.number(),
    }),
  ),
});
export type StaffAccount = z.infer<typeof account>;

export const channels = options('Email', 'SMS');
export const noEmail = text`The staff record has no email address.`;
export const noMobile = text`The staff record has no mobile number.`;
export const noSignIn = text`This account can’t sign in. Restore it first.`;

export const accountActs = options('Invite', 'Give permissions', 'Remove permissions', 'Suspend', 'Restore');
export const noAccount = text`No account yet. Invite this person first.`;
export const adminAccount = text`An Admin’s account is changed on its own.`;
export const unchanged = text`Nothing would change.`;
export const invitedOften = text`Invited five times within an hour. Try again later.`;
/** In bulk alone: a single person can be invited again at once. */
export const invitedOn = (day: string) => text`Was invited on ${{ day: showDate(day) }}.`;
export const signsIn = text`Has signed in already.`;
export const noChannel = text`Choose email or SMS.`;
export const noSets = text`Choose at least one permission.`;

const sets = z._default(listOf(z.enum(grantedSets), { most: grantedSets.length }), []);

export const staffAccountApi = {
  account: endpoint({
    method: 'GET',
    path: `${path}/:id/account`,
    access: [admin()],
    opens: 'staff',
    shows: [...new Set([...shows, 'account', 'session', ...derivedFrom])],
    input: z.object({ id }),
    output: account,
  }),
  /** Creates the person’s account and sends an invitation; for an account that exists, sends another one. */
  invite: endpoint({
    method: 'POST',
    path: `${path}/:id/invite`,
    access: [admin()],
    changes: [...changes, 'account'],
    isConfirmed: true,
    input: z.object({ id, channel: oneOf(text`Send by`, channels), ...grantFields }),
    output: z.object({}),
  }),
  /** Suspends or restores sign-in; suspending ends every session. */
  suspend: endpoint({
    method: 'POST',
    path: `${path}/:id/suspend`,
    access: [admin()],
    changes: [...changes, 'account', 'session'],
    isConfirmed: true,
    input: z.object({ ...idAndVersion, isSuspended: z.boolean() }),
    output: z.object({}),
  }),
  /** The permission sets of the person's account, and their branches. */
  grant: endpoint({
    method: 'POST',
    path: `${path}/:id/grant`,
    access: [admin()],
    changes: [...changes, 'account'],
    isConfirmed: true,
    input: z.object({ ...idAndVersion, ...grantFields }),
    output: z.object({}),
  }),
  /** One act on the accounts of the selected people; those it can't be done for are skipped. */
  actOnMany: endpoint({
    method: 'POST',
    path: `${path}/account`,
    access: [admin()],
    changes: [...changes, 'account', 'session'],
    isConfirmed: true,
    input: z.object({
      selection,
      act: oneOf(text`Act`, accountActs),
      /** For an invitation. */
      channel: optionalOneOf(text`Send by`, channels),
      sets,
      confirmToken,
    }),
    output: bulkAnswer,
  }),
};
