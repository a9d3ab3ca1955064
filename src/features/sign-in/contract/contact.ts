import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { email, mobile } from '#kit/contract/fields.ts';
import { signedIn } from './access.ts';
import { codeField } from './sign-in.ts';

const path = '/sign-in/contact';
const nothing = z.object({});

/** One's own e-mail address and mobile number: a new one counts once its code was typed (areas.md P2). */
export const contactApi = {
  sendEmailCode: endpoint({
    method: 'POST',
    path: `${path}/email-code`,
    access: signedIn,
    isConfirmed: true,
    input: z.object({ email: email('New e-mail address') }),
    output: nothing,
  }),
  sendMobileCode: endpoint({
    method: 'POST',
    path: `${path}/mobile-code`,
    access: signedIn,
    isConfirmed: true,
    input: z.object({ mobile: mobile('New mobile number') }),
    output: nothing,
  }),
  save: endpoint({
    method: 'POST',
    path,
    access: signedIn,
    ownTransactions: true,
    input: z.object({ OTP: codeField }),
    output: nothing,
  }),
};
