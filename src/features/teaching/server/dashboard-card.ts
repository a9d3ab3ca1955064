import { clampToYear } from '#features/calendar/api.ts';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { countGaps } from './teacher-list.ts';

export const teacherCard: DashboardCard = {
  title: text`Teachers`,
  roles: ['Admin'],
  count: async (ctx, year) => {
    if (!year) return [];
    const { leaders, subjects } = await countGaps(ctx, { academicYearId: year.id, on: clampToYear(ctx, year, '') });
    const to = 'academic/section-teacher-mapping?show=gaps';
    return [
      { label: text`Sections without a class teacher`, value: leaders, to },
      { label: text`Subjects without a teacher`, value: subjects, to },
    ];
  },
};
