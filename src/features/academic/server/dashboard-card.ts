import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';

export const sectionCard: DashboardCard = {
  title: text`Sections`,
  roles: ['Admin'],
  count: async ({ db }, year) => {
    if (!year) return [];
    const { rows } = await sql<{ grades: number; sections: number; seats: number }>`
      select count(distinct grade_id)::integer as grades, count(*)::integer as sections,
        coalesce(sum(capacity), 0)::integer as seats
      from academic_section where academic_year_id = ${year.id} and is_active`.execute(db);
    const [{ grades, sections, seats }] = rows as [(typeof rows)[0]];
    const to = 'academic/academic-master?tab=section';
    return [
      { label: text`Grades with sections`, value: grades, to },
      { label: text`Sections`, value: sections, to },
      { label: text`Seats`, value: seats, to },
    ];
  },
};
