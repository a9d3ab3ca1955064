import { idOf, salt, toGuardian, withFamilyLink } from '#testing/addressed.ts';
import type { Examples } from '#testing/examples.ts';
import { openFamilyPage } from '#testing/family.ts';

export const examples: Examples = {
  exports: {
    'GET /family-link/export': async ({ school, admin, openThisYear }) => {
      await openThisYear();
      await openFamilyPage(school);
      return { url: '/family-link/export?as=csv&tab=all', by: admin };
    },
  },
  messages: {
    'family.code': (school) =>
      toGuardian(school, ({ guardianId }) =>
        idOf(
          school,
          `insert into family_code (guardian_id, target, salt, expires_at)
          select id, mobile, ${salt}, now() + interval '10 minutes' from guardian where id = ${guardianId} returning id`,
        ),
      ),
    'family.contact-code': (school) =>
      toGuardian(school, ({ guardianId }) =>
        idOf(
          school,
          `insert into family_code (guardian_id, purpose, target, salt, expires_at)
          select id, 'Contact', mobile, ${salt}, now() + interval '10 minutes' from guardian where id = ${guardianId} returning id`,
        ),
      ),
    'family.contact-changed': async (school) => {
      const { subjectId } = await toGuardian(school, ({ guardianId }) =>
        idOf(
          school,
          `insert into guardian_contact_change (guardian_id, channel, old_value, new_value, proof, state, made_at)
          select id, 'sms', '9825000002', '9825000003', 'Both codes', 'Applied', now() from guardian where id = ${guardianId} returning id`,
        ),
      );
      // To the earlier number, whatever it became since.
      return { subjectId };
    },
    'family.link': async (school) => withFamilyLink(school, (await openFamilyPage(school)).guardianId),
  },
  rows: ({ sql }) =>
    sql(`with adult as (select min(guardian_id) as id from student_guardian where role = 'Parent'),
      made as (
        insert into family_link (guardian_id, version, key_id, link_hash, short_hash, sent_at, expires_at)
        select id, 1, 'link1', 'a', 'b', now(), now() + interval '1 day' from adult on conflict do nothing),
      phone as (insert into family_device (guardian_id, token_hash, proven_at, used_on, expires_at)
        select id, sha256('a'), now(), current_date, now() + interval '1 day' from adult on conflict do nothing),
      feed as (insert into family_feed (guardian_id, value_hash, made_at)
        select id, sha256('b'), now() from adult on conflict do nothing),
      code as (insert into family_code (guardian_id, target, salt, expires_at)
        select id, '', ${salt}, now() from adult on conflict do nothing),
      change as (insert into guardian_contact_change (guardian_id, channel, old_value, new_value, proof, state, made_at)
        select id, 'sms', '', '9825000001', 'Both codes', 'Undone', now() from adult),
      language as (insert into guardian_preference (guardian_id, language, set_by) select id, 'gu', 'Form' from adult on conflict do nothing)
    insert into family_opening (guardian_id, day, times) select id, current_date, 1 from adult on conflict do nothing`),
};
