import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { SetUpStep } from '#kit/server/set-up.ts';

export const staffStep: SetUpStep = {
  key: 'staff',
  order: 6,
  title: text`Staff`,
  to: 'staff/staff-list?act=import',
  act: text`Import staff`,
  read: async ({ db }) => {
    const { rows } = await sql<{ staff: number; others: boolean }>`
      select count(*)::integer as staff,
        coalesce(bool_or(not exists (select 1 from sign_in_account own where own.staff_id = staff.id)), false) as others
      from staff`.execute(db);
    const [{ staff, others }] = rows as [(typeof rows)[0]];
    return {
      isDone: others,
      found: text({ message: '{staff, plural, one {# staff member} other {# staff members}}' }, { staff }),
      missing: text`Import the sheet of your staff. Its columns may have any names.`,
    };
  },
};
