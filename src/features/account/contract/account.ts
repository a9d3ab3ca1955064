import * as z from 'zod/mini';
import { admin, derivedSets, grantedSets } from '#access/contract/grants.ts';
import { session } from '#features/sign-in/contract/session.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id, idAndVersion, optionalFreeText, rule, tick } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { pageOf, paging } from '#kit/contract/paging.ts';
import { text } from '#kit/contract/text.ts';

export const needsRole = text`Choose at least one.`;
export const needsUserName = text`An Admin needs a username of 3 to 50 letters, digits or . _ -`;
export const takenUserName = text`Already in use. Enter a different one.`;
export const takenAddress = text`Another staff member uses this email address or mobile number.`;
export const freshAddress = text`The email address changed less than 3 days ago. Try again 3 days after the change.`;
export const needsEmail = text`The staff record has no email address. Add one first.`;

/** The permission sets that an Admin grants, and where they count. */
export const grantFields = {
  sets: z._default(listOf(z.enum(grantedSets), { most: grantedSets.length }), []),
  /** The branches that the sets are limited to; every branch if empty. Without the field a change keeps them. */
  branchIds: z.optional(listOf(id, { most: 100 })),
};

const accountFields = {
  userName: optionalFreeText(text`Username`, 50),
  isStaff: tick(text`Staff: signs in with a one-time code`),
  isAdmin: tick(text`Admin: signs in with a password`),
  ...grantFields,
};

/** A permission set that follows from today's mapping, with its source. */
export const derivedRight = z.object({ set: z.enum(derivedSets), source: anyText });
/** What such rights change with. */
export const derivedFrom = ['teacher', 'section', 'grade', 'subject', 'department'] as const;

export const userNameShape = /^[a-z0-9._-]{3,50}$/i;

const checkRights = rule<{ isStaff: boolean; isAdmin: boolean; userName: string }>(
  ({ isStaff, isAdmin, userName }, say) => {
    if (isStaff === false && isAdmin === false) say('isStaff', needsRole);
    if (isAdmin && userName !== undefined && !userNameShape.test(userName)) say('userName', needsUserName);
  },
);

const account = z.object({
  id: z.number(),
  staffId: z.number(),
  name: z.string(),
  email: z.string(),
  mobile: z.string(),
  userName: z.string(),
  isStaff: z.boolean(),
  isAdmin: z.boolean(),
  sets: z.array(z.enum(grantedSets)),
  branchIds: z.array(z.number()),
  derived: z.array(derivedRight),
  isActive: z.boolean(),
  /** The number of signed-in devices. */
  sessions: z.number(),
  version: z.number(),
});
export type Account = z.infer<typeof account>;

const request = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string(),
  mobile: z.string(),
  reason: z.string(),
  askedAt: z.iso.datetime(),
});
export type AccountRequest = z.infer<typeof request>;

const path = '/account';
const access = [admin()];
const nothing = z.object({});
const states = ['all', 'active', 'closed'] as const;

/** Accounts and their rights. Admins only, and changes need a confirmed session (A24). */
export const accountApi = {
  list: endpoint({
    method: 'GET',
    path,
    access,
    shows: ['account', 'session', 'staff', ...derivedFrom],
    input: z.object({ ...paging, state: z._default(z.enum(states), 'all') }),
    output: pageOf(account),
  }),
  update: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access,
    changes: ['account', 'session'],
    isConfirmed: true,
    input: z.object({ ...idAndVersion, isActive: tick(text`Can sign in`), ...accountFields }).check(checkRights),
    output: account,
  }),
  /** The signed-in devices of an account (A22). */
  sessions: endpoint({
    method: 'GET',
    path: `${path}/:id/session`,
    access,
    shows: ['session'],
    input: z.object({ id }),
    output: z.array(session),
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: `${path}/:id/session/:number`,
    access,
    changes: ['session'],
    isConfirmed: true,
    input: z.object({ id, number: id }),
    output: nothing,
  }),
  endSessions: endpoint({
    method: 'POST',
    path: `${path}/:id/end-sessions`,
    access,
    changes: ['session'],
    isConfirmed: true,
    input: z.object({ id }),
    output: nothing,
  }),
  requests: endpoint({
    method: 'GET',
    path: `${path}-request`,
    access,
    shows: ['account-request'],
    input: z.object(paging),
    output: pageOf(request),
  }),
  approve: endpoint({
    method: 'POST',
    path: `${path}-request/:id/approve`,
    access,
    changes: ['account', 'account-request', 'staff'],
    isConfirmed: true,
    input: z.object({ id, ...accountFields }).check(checkRights),
    output: nothing,
  }),
  decline: endpoint({
    method: 'POST',
    path: `${path}-request/:id/decline`,
    access,
    changes: ['account-request'],
    isConfirmed: true,
    input: z.object({ id }),
    output: nothing,
  }),
};
