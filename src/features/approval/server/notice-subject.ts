import type { NoticeSubject } from '#kit/server/context.ts';
import { requestsOf } from './decide.ts';
import { requestPath } from './request.ts';

/** The student whom a request is about. */
export const requestSubject: NoticeSubject = {
  paths: [requestPath],
  find: async (ctx, ids) => {
    const found = await requestsOf(ctx)
      .where('approval.id', 'in', ids)
      .innerJoin('student', 'student.id', 'approval.student_id')
      .select('student.name as student')
      .execute();
    return found.map(({ id, student }) => ({ id, name: student }));
  },
};
