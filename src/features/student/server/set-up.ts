import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { SetUpStep } from '#kit/server/set-up.ts';

export const studentStep: SetUpStep = {
  key: 'students',
  order: 7,
  title: text`Students`,
  to: 'student/student-list?act=import',
  act: text`Import students`,
  read: async ({ db }) => {
    const { rows } = await sql<{ students: number }>`select count(*)::integer as students from student`.execute(db);
    const [{ students }] = rows as [(typeof rows)[0]];
    return {
      isDone: students > 0,
      found: text({ message: '{students, plural, one {# student} other {# students}}' }, { students }),
      missing: text`Import the sheet of your students and their parents. Its columns may have any names.`,
    };
  },
};
