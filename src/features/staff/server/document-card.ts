import { text } from '#kit/contract/text.ts';
import type { DashboardCard, TodoSource } from '#kit/server/dashboard.ts';
import { firstStaff, staffFigures } from './list.ts';

const list = 'staff/staff-list';

/** The people of the branches that the user keeps whose documents need something. */
export const documentCard: DashboardCard = {
  title: text`Staff documents`,
  sets: ['hr'],
  count: (ctx) =>
    staffFigures(ctx, list, [
      { label: text`Staff with documents due`, query: { tab: 'due' } },
      { label: text`Staff with expired documents`, isLate: true, query: { tab: 'due', documents: 'Expired' } },
      {
        label: text`Staff with documents waiting for HR`,
        query: { tab: 'all', documents: 'Waiting' },
      },
    ]),
};

const documentsOf = (
  kind: string,
  words: Pick<TodoSource, 'title'> & { detail: ReturnType<typeof text>; act: ReturnType<typeof text> },
  when: 'late' | 'today',
  query: Record<string, string>,
): TodoSource => ({
  kind,
  title: words.title,
  icon: 'document',
  sets: ['hr'],
  find: async (ctx, most) => {
    const { rows, ...found } = await firstStaff(ctx, list, query, most);
    return {
      ...found,
      rows: rows.map(({ id, name, designation }) => ({
        id,
        when,
        title: name,
        about: designation,
        detail: words.detail,
        to: `staff/view-staff/${id}?part=documents`,
        act: words.act,
      })),
    };
  },
});

/** What HR has to see to, by person. */
export const documentTodos = [
  documentsOf(
    'staff-expired',
    { title: text`Expired documents`, detail: text`A document has expired`, act: text`Open` },
    'late',
    { tab: 'due', documents: 'Expired' },
  ),
  documentsOf(
    'staff-waiting',
    { title: text`Documents to verify`, detail: text`A document waits to be verified`, act: text`Verify` },
    'today',
    { tab: 'all', documents: 'Waiting' },
  ),
];
