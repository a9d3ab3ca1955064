import { text } from '#kit/contract/text.ts';
import type { TodoSource } from '#kit/server/dashboard.ts';
import type { UnexplainedReason } from '../contract/unexplained.ts';
import { firstUnexplained } from './unexplained.ts';

const words = {
  Undecided: text`Was here last year, and has no class in this one`,
  'Not seen': text`In a class, and never marked present`,
  'Re-test open': text`The result of the re-test is missing`,
} satisfies Record<UnexplainedReason, unknown>;

/** Students of whom nobody knows whether they are with the school this year: the office finds out and enters it. */
export const unexplainedTodo: TodoSource = {
  kind: 'unexplained',
  title: text`Unexplained students`,
  roles: ['Staff'],
  sets: ['office'],
  find: async (ctx, most) => {
    const { rows, ...found } = await firstUnexplained(ctx, 'academic/year-end', {}, most);
    return {
      ...found,
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
