import * as z from 'zod/mini';
import { admin } from '#features/account/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { email, mobile, password, text } from '#kit/contract/fields.ts';

/** A new password: inside the sign-in form's 6 to 15 characters, and longer than it asks (A11). */
export const newPassword = password('New password', {
  least: 8,
  most: 15,
  words: { invalid: 'A new password has 8 to 15 characters.' },
});

const current = password('Password', { least: 1, most: 100, words: { invalid: 'This is not your password.' } });
export const wrongPassword = 'This is not your password.';
export const deadReset = 'This link has been used or is too old. Ask for a new one.';
export const commonPassword = 'This password is used by many people. Please choose another one.';
export const blankPassword = 'A password needs more than spaces.';
export const plainPassword = 'Use at least 5 different characters in your password.';
export const namedPassword = 'A password may not hold your name, your username, or the name or city of the school.';

export const signUpDraft = z.object({
  name: text('Name', 100),
  email: email('E-mail address'),
  mobile: mobile('Mobile number'),
  reason: text('What you need the account for', 500),
});

const path = '/sign-in';
const nothing = z.object({});

export const passwordApi = {
  /** Sends a link to choose a new password, if the address is an Admin's and is not a new one; the answer does not tell (A17). */
  sendReset: endpoint({
    method: 'POST',
    path: `${path}/reset-link`,
    access: 'public',
    input: z.object({ email: email('E-mail address') }),
    output: nothing,
  }),
  reset: endpoint({
    method: 'POST',
    path: `${path}/reset-password`,
    access: 'public',
    ownTransactions: true,
    input: z.object({ token: z.string(), newPassword }),
    output: nothing,
  }),
  change: endpoint({
    method: 'POST',
    path: `${path}/password`,
    access: [admin()],
    changes: ['session'],
    ownTransactions: true,
    input: z.object({ password: current, newPassword }),
    output: nothing,
  }),
  /** Proves once more who somebody is, for what needs it fresh (A24). */
  confirm: endpoint({
    method: 'POST',
    path: `${path}/confirm`,
    access: [admin()],
    changes: [],
    ownTransactions: true,
    input: z.object({ password: current }),
    output: nothing,
  }),
  /** Asks for an account; only an Admin’s approval makes one (A16). */
  signUp: endpoint({ method: 'POST', path: `${path}/request`, access: 'public', input: signUpDraft, output: nothing }),
};
