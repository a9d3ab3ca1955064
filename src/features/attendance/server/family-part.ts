import { sql } from 'kysely';
import { familyPart } from '#features/family/api.ts';
import type { Context } from '#kit/server/context.ts';
import { familyDays } from '../contract/family.ts';
import { monthOf } from './child-days.ts';

/** When the children came late on a day, and when their registers were taken. */
async function timesOf({ db }: Pick<Context, 'db'>, ids: readonly number[], day: string) {
  const { rows } = await sql<{ studentId: number; half: number; cameAt: string; takenAt: string }>`
    select mark.student_id as "studentId", mark.half, coalesce(to_char(mark.arrived_at, 'FMHH24:MI'), '') as "cameAt",
      to_char(register.taken_at at time zone 'Asia/Kolkata', 'FMHH24:MI') as "takenAt"
    from attendance_mark mark join attendance_register register on register.id = mark.register_id
    where mark.student_id = any(${[...ids]}::integer[]) and mark.day = ${day}::date`.execute(db);
  return rows;
}

/** The children's marks of the month. */
export const monthPart = familyPart({
  key: 'attendance',
  output: familyDays,
  read: async (ctx, { day, children }) => {
    const ids = children.map(({ studentId }) => studentId);
    const times = await timesOf(ctx, ids, day);
    return (await monthOf(ctx, ids, day.slice(0, 7))).map((mark) => {
      const own = mark.day === day && times.find((one) => one.studentId === mark.studentId && one.half === mark.half);
      return { ...mark, cameAt: '', takenAt: '', ...own };
    });
  },
});
