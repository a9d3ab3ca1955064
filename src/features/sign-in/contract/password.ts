import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { email, freeText, mobile, password } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';

/** A new password: within the sign-in form's 6 to 15 characters, but with a higher minimum (A11). */
export const newPassword = password(text`New password`, {
  least: 8,
  most: 15,
  words: { invalid: text`Use 8 to 15 characters.` },
});

export const wrongPassword = text`This is not your password.`;
const current = password(text`Password`, { least: 1, most: 100, words: { invalid: wrongPassword } });
export const deadReset = text`This link was used or has expired. Get a new one.`;
export const commonPassword = text`This password is too common. Choose another one.`;
export const plainPassword = text`Use at least 5 different characters.`;
export const namedPassword = text`Don’t use your name, your username, or the name or city of the school.`;

const signUpDraft = z.object({
  name: freeText(text`Name`, 100),
  email: email(text`Email address`),
  mobile: mobile(text`Mobile number`),
  reason: freeText(text`Reason`, 500),
});

const path = '/sign-in';
const nothing = z.object({});

export const passwordApi = {
  /**
   * Sends a link to choose a new password if the address belongs to an Admin and is not new; the answer does not reveal
   * whether it does (A17).
   */
  sendReset: endpoint({
    method: 'POST',
    path: `${path}/reset-link`,
    access: 'public',
    input: z.object({ email: email(text`Email address`) }),
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
  /** Confirms the session, for acts that need it (A24). */
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
