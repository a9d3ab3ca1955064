import * as z from 'zod/mini';
import { signedIn } from '#access/contract/grants.ts';
import { codeField } from '#features/sign-in/contract/sign-in.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { email, mobile } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';

/** Refuses an Admin in a session without a password. */
export const needsPassword = text`Sign in with your password to change this.`;

const path = '/sign-in/contact';
const nothing = z.object({});

/** One's own email address and mobile number. A new one is confirmed by a code; Admins must be signed in with the password. */
export const contactApi = {
  sendEmailCode: endpoint({
    method: 'POST',
    path: `${path}/email-code`,
    access: signedIn,
    changes: [],
    isConfirmed: true,
    ownTransactions: true,
    input: z.object({ email: email(text`New email address`) }),
    output: nothing,
  }),
  sendMobileCode: endpoint({
    method: 'POST',
    path: `${path}/mobile-code`,
    access: signedIn,
    changes: [],
    isConfirmed: true,
    ownTransactions: true,
    input: z.object({ mobile: mobile(text`New mobile number`) }),
    output: nothing,
  }),
  save: endpoint({
    method: 'POST',
    path,
    access: signedIn,
    changes: ['account', 'staff'],
    ownTransactions: true,
    input: z.object({ OTP: codeField }),
    output: nothing,
  }),
};
