import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { SetUpStep } from '#kit/server/set-up.ts';

export const schoolStep: SetUpStep = {
  key: 'school',
  order: 1,
  title: text`School profile`,
  to: 'academic/organizational-master?tab=school',
  act: text`Enter the profile`,
  read: async ({ db }) => {
    const { rows } = await sql<{ entered: number; needed: number }>`
      select count(*) filter (where value <> '')::integer as entered, count(*)::integer as needed
      from (values (1)) as one
      left join academic_school school on true
      cross join lateral unnest(array[school.name, school.city, school.phone, school.email, school.hours,
        school.hospital_text]) as value`.execute(db);
    const [{ entered, needed }] = rows as [(typeof rows)[0]];
    return {
      isDone: entered === needed,
      found: text`${{ entered }} of ${{ needed }} details entered`,
      missing: text`Enter name, city, phone, email, office hours and the emergency treatment statement.`,
    };
  },
};
