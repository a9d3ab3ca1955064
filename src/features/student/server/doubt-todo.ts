import { text, verbatim } from '#kit/contract/text.ts';
import type { TodoSource } from '#kit/server/dashboard.ts';
import { firstStudents } from './list.ts';

/** Students who may be entered twice: the office merges them, or says that they are two children. */
export const doubtTodo: TodoSource = {
  kind: 'double-entry',
  title: text`Students who may be entered twice`,
  icon: 'eye',
  roles: ['Staff'],
  sets: ['office'],
  find: async (ctx, most) => {
    const query = { tab: 'all', doubt: 'May be entered twice' };
    const { rows, ...found } = await firstStudents(ctx, 'student/student-list', query, most);
    return {
      ...found,
      rows: rows.map(({ id, name, grNo, section }) => ({
        id,
        when: 'soon' as const,
        title: name,
        about: section,
        detail: verbatim(`GR ${grNo}`),
        to: `student/student-list/${id}/merge`,
        act: text`Compare`,
      })),
    };
  },
};
