import * as z from 'zod/mini';
import { session } from '#features/sign-in/contract/session.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id, optionalText, rule, tick } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { pageOf, paging } from '#kit/contract/paging.ts';
import { admin, permissionSets } from './access.ts';

export const needsRole = 'Choose at least one: Staff or Admin.';
export const needsUserName = 'An Admin needs a username to sign in with.';
export const takenUserName = 'This username is taken.';
export const takenAddress = 'Somebody who works here has this e-mail address or mobile number already.';
export const freshAddress =
  'Their email address was changed less than 3 days ago, and the link to a password would go there. Try again later.';
export const lastAdmin = 'The school needs one Admin who can sign in. Make somebody else one first.';

const accountFields = {
  userName: optionalText('Username', 50),
  isStaff: tick('Staff: signs in with a one-time code'),
  isAdmin: tick('Admin: signs in with a password'),
  sets: z._default(listOf(z.enum(permissionSets), { most: permissionSets.length }), []),
};

export const userNameShape = /^[a-z0-9._-]{3,50}$/i;

const checkRights = rule<{ isStaff: boolean; isAdmin: boolean; userName: string }>(
  ({ isStaff, isAdmin, userName }, say) => {
    if (isStaff === false && isAdmin === false) say('isStaff', needsRole);
    if (isAdmin && userName !== undefined && !userNameShape.test(userName)) say('userName', needsUserName);
  },
);

const account = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string(),
  mobile: z.string(),
  userName: z.string(),
  isStaff: z.boolean(),
  isAdmin: z.boolean(),
  sets: z.array(z.enum(permissionSets)),
  isActive: z.boolean(),
  /** How many browsers are signed in. */
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

/** Who may sign in, as what: an Admin's business, and only soon after proving who they are (A24). */
export const accountApi = {
  list: endpoint({
    method: 'GET',
    path,
    access,
    shows: ['account', 'session', 'staff'],
    input: z.object({ ...paging, state: z._default(z.enum(states), 'all') }),
    output: pageOf(account),
  }),
  update: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access,
    changes: ['account', 'session'],
    isConfirmed: true,
    input: z.object({ id, version: id, isActive: tick('May sign in'), ...accountFields }).check(checkRights),
    output: account,
  }),
  /** Where somebody is signed in (A22). */
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
  /** Signs somebody out everywhere. */
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
