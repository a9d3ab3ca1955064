import { idOf, salt, toAccount } from '#testing/addressed.ts';
import type { Examples } from '#testing/examples.ts';
import type { School } from '#testing/school.ts';
import { passwordApi } from './contract/password.ts';

const toAdmin = (school: School) => toAccount(school, { isAdmin: true });
/** It reaches the old address on purpose. */
const asQueued = async (school: School) => ({ subjectId: (await toAccount(school)).subjectId });

export const examples: Examples = {
  messages: {
    'sign-in-code': (school) =>
      toAccount(school, {
        subject: ({ id, email }) =>
          idOf(
            school,
            `insert into sign_in_code (challenge, method, target, account_id, salt, expires_at)
            values (sha256('${email}'), 'Email', '${email}', ${id}, ${salt}, now() + interval '1 hour') returning id`,
          ),
      }),
    'sign-in-reset': (school) =>
      toAccount(school, {
        isAdmin: true,
        subject: ({ id }) =>
          idOf(
            school,
            `insert into sign_in_reset (account_id, salt, expires_at)
            values (${id}, ${salt}, now() + interval '1 hour') returning id`,
          ),
      }),
    'password-changed': asQueued,
    'admin-added': toAdmin,
    'admin-removed': asQueued,
    'admin-contact-changed': toAdmin,
    'staff-contact-changed': toAdmin,
    'admin-password-reset': toAdmin,
    'admin-reset-held': toAdmin,
    'act-reported': (school) =>
      toAccount(school, {
        isAdmin: true,
        subject: () =>
          idOf(
            school,
            `insert into audit (actor, role, action, entity, entity_id, result, request_id, details)
            values ('Asha', 'Admin', 'academic-year.removed', 'academic_year', 1, 'done', 'request', '{}') returning id`,
          ),
      }),
  },
  rows: async (school) => {
    const asked = { AuthenicateUserBy: 'Email', EmailID: 'office@sunrise.example' };
    await school.browser().send({ method: 'POST', url: '/api/sign-in/authenticate-user', body: asked });
    await school.browser().call(passwordApi.sendReset, { email: 'admin@sunrise.example' });
  },
};
