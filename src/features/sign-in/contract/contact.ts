import * as z from 'zod/mini';
import { signedIn } from '#features/account/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { email, mobile } from '#kit/contract/fields.ts';
import { codeField } from './sign-in.ts';

/** Said to an Admin in a session that was begun with a code or Google. */
export const needsPassword = 'Sign in with your password to change this.';

const path = '/sign-in/contact';
const nothing = z.object({});

/** One's own email address and mobile number: a new one counts once its code was typed. Who is an Admin needs a session with the password. */
export const contactApi = {
  sendEmailCode: endpoint({
    method: 'POST',
    path: `${path}/email-code`,
    access: signedIn,
    changes: [],
    isConfirmed: true,
    ownTransactions: true,
    input: z.object({ email: email('New e-mail address') }),
    output: nothing,
  }),
  sendMobileCode: endpoint({
    method: 'POST',
    path: `${path}/mobile-code`,
    access: signedIn,
    changes: [],
    isConfirmed: true,
    ownTransactions: true,
    input: z.object({ mobile: mobile('New mobile number') }),
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
