import { sql } from 'kysely';
import { familyPart, showsBus } from '#features/family/api.ts';
import { familyRides } from '../contract/family.ts';
import { busOf } from './bus.ts';

/** The rides of the day. Where a child is at which minute is only for adults who may collect it. */
export const busPart = familyPart({
  key: 'transport',
  output: familyRides,
  isPrivate: true,
  setting: showsBus,
  read: async (ctx, { day, children }) => {
    const ids = children.map(({ studentId }) => studentId);
    const collecting = new Set(children.filter(({ mayCollect }) => mayCollect).map(({ studentId }) => studentId));
    const { rows: school } = await sql<{ gradeId: number }>`
      select days.grade_id as "gradeId" from academic_year year cross join academic_school_days(year.id, ${day}, ${day}) as days
      where ${day}::date between year.starts_on and year.ends_on and days.work > 0`.execute(ctx.db);
    const atSchool = new Set(school.map(({ gradeId }) => gradeId));
    const isDayOff = (id: number) =>
      !children.some(({ studentId, gradeId }) => studentId === id && atSchool.has(gradeId));
    return (await busOf(ctx, { studentIds: ids }, day)).map(({ studentId, pickup, drop }) => {
      const ways = [
        ...(pickup ? [{ trip: 'pickup' as const, ...pickup }] : []),
        ...(drop ? [{ trip: 'drop' as const, ...drop }] : []),
      ];
      const route = pickup?.route ?? drop?.route ?? '';
      const id = studentId ?? 0;
      return { studentId: id, route, isDayOff: isDayOff(id), ways: collecting.has(id) ? ways : [] };
    });
  },
});
