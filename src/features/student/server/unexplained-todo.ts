import { text } from '#kit/contract/text.ts';
import type { TodoSource } from '#kit/server/dashboard.ts';
import type { UnexplainedReason } from '../contract/unexplained.ts';
import { firstUnexplained } from './unexplained.ts';

const words = {
  Undecided: text`Was here last year, and has no class in this one`,
  'Not seen': text`In a class, and never marked present`,
  'Re-test open': text`The result of the re-test is missing`,
} satisfies Record<UnexplainedReason, unknown>;

/** The lists that ask for a decision: who was not seen is a list of the year's end, and long where no register is taken. */
const asked: readonly UnexplainedReason[] = ['Undecided', 'Re-test open'];

/** Students of whom nobody knows whether they are with the school this year: the office finds out and enters it. */
export const unexplainedTodo: TodoSource = {
  kind: 'unexplained',
  title: text`Unexplained students`,
  icon: 'eye',
  roles: ['Staff'],
  sets: ['office'],
  find: async (ctx, most) => {
    const lists = await Promise.all(asked.map((why) => firstUnexplained(ctx, 'academic/year-end', { why }, most)));
    const all = lists.flatMap((list) => list.rows);
    // A child without a place may have an open re-test as well.
    const rows = all.filter((row, index) => all.findIndex(({ id }) => id === row.id) === index).slice(0, most);
    const twice = all.length - new Set(all.map(({ id }) => id)).size;
    return {
      total: lists.reduce((sum, { total }) => sum + total, 0) - twice,
      isMore: lists.some(({ isMore }) => isMore),
      to: 'academic/year-end?tab=unexplained',
      rows: rows.map(({ id, name, section, why }) => ({
        id,
        when: 'soon' as const,
        title: name,
        about: section,
        detail: words[why as UnexplainedReason],
        to: `student/student-list/${id}`,
        act: text`Open`,
      })),
    };
  },
};
