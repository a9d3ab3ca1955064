import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { studentFigures } from './list.ts';

/** Staff see the students in their scope, and not those to place, which is an Admin's work. */
export const studentCard: DashboardCard = {
  title: text`Students`,
  leads: true,
  sets: ['office', 'principal', 'classTeacher', 'subjectTeacher'],
  count: async (ctx) => {
    const isAdmin = ctx.user.role === 'Admin';
    const figures = await studentFigures(ctx, 'student/student-list', [
      { label: text`Students`, query: {} },
      { label: text`Girls`, query: { gender: 'Girl' } },
      { label: text`Boys`, query: { gender: 'Boy' } },
      ...(isAdmin ? [{ label: text`Without a section`, query: { tab: 'unplaced' } }] : []),
    ]);
    return isAdmin || figures[0]?.value ? figures : [];
  },
};
