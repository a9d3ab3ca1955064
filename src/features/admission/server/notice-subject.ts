import { sql } from 'kysely';
import type { NoticeSubject } from '#kit/server/context.ts';
import { isReached } from './scope.ts';

/** The child and the grade of an inquiry. */
export const inquirySubject: NoticeSubject = {
  paths: ['inquiry', 'review-list', 'process-admission', 'confirm-admission'].map(
    (page) => `/school-erp/admission/${page}/`,
  ),
  find: async ({ db, user }, ids) => {
    const { rows } = await sql<{ id: number; name: string }>`
      select inquiry.id, concat_ws(' ', inquiry.first_name, inquiry.last_name) || coalesce(' (' || grade.name || ')', '') as name
      from admission_inquiry inquiry left join academic_grade grade on grade.id = inquiry.grade_id
      where inquiry.id = any(${[...ids]}::integer[]) and inquiry.first_name is not null and ${isReached(user)}`.execute(
      db,
    );
    return rows;
  },
};
