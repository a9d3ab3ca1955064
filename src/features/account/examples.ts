import { idOf, salt, toAccount } from '#testing/addressed.ts';
import type { Examples } from '#testing/examples.ts';
import type { School } from '#testing/school.ts';
import { contactApi } from './contract/contact.ts';

/** It reaches the old address on purpose. */
const asQueued = async (school: School) => ({ subjectId: (await toAccount(school)).subjectId });

export const examples: Examples = {
  messages: {
    'account-approved': (school) => toAccount(school),
    'account-declined': asQueued,
    'account-invited': (school) => toAccount(school),
    'account-invited-sms': (school) => toAccount(school),
    'contact-code': async (school) => {
      const subject = ({ id, email }: { id: number; email: string }) =>
        idOf(
          school,
          `insert into sign_in_contact (account_id, channel, target, salt, expires_at)
          values (${id}, 'email', '${email}', ${salt}, now() + interval '1 hour') returning id`,
        );
      const made = await toAccount(school, { subject });
      return {
        ...made,
        change: `update sign_in_contact set target = 'new@staff.example' where id = ${made.subjectId}`,
      };
    },
    'email-changed': asQueued,
    'mobile-changed': asQueued,
    'email-added': asQueued,
    'mobile-added': asQueued,
  },
  rows: async (school) => {
    const staff = await school.person({ sets: ['office'], branchIds: [1] });
    await staff.call(contactApi.sendEmailCode, { email: 'new.address@sunrise.example' });
  },
};
