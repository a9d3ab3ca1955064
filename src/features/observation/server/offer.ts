import { sql } from 'kysely';
import { offeredSkills } from '#features/skill/api.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { readSetting } from '#kit/server/settings.ts';
import type { noteApi } from '../contract/note.ts';
import type { Reach } from '../contract/words.ts';
import { isWritable } from './readable.ts';
import { describeReaders } from './readers.ts';
import { editHours } from './settings.ts';
import { offeredTypes } from './type.ts';

/** A follow-up is offered for the first working day in a week. */
const followUpDays = 7;

export const offer: Handler<typeof noteApi.offer> = async (ctx) => {
  const { db } = ctx;
  const now = ctx.now();
  const day = toLocalDate(now);
  const due = addDays(day, followUpDays);
  const types = await offeredTypes(ctx);
  const actions = await db
    .selectFrom('observation_action')
    .where('is_active', '=', true)
    .select(['id', 'name'])
    .orderBy(sql`lower(name)`)
    .execute();
  const { rows } = await sql<{ day: string | null }>`
    select min(days.day)::text as day from academic_year year,
      academic_school_days(year.id, ${due}::date, ${addDays(due, 30)}::date) as days
    where ${due}::date between year.starts_on and year.ends_on and days.grade_id is null and days.work > 0`.execute(db);
  return {
    types,
    actions,
    editHours: await readSetting(ctx, editHours),
    day,
    time: new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Kolkata', hour: '2-digit', minute: '2-digit' }).format(
      now,
    ),
    dueOn: rows[0]?.day ?? due,
  };
};

const idsOf = (list: string) => list.split(',').map(Number);

/** Those of the named students on whom the user may write today. */
async function writableOf({ db, user, now }: Parameters<typeof offer>[0], list: string) {
  const { rows } = await sql<{ id: number; stage: string }>`
    select there.student_id as id, grade.stage from student_on(${toLocalDate(now())}) there
    join academic_grade grade on grade.id = there.grade_id
    where there.student_id = any(${idsOf(list)}::integer[]) and ${isWritable(user)}`.execute(db);
  return rows;
}

export const reader: Handler<typeof noteApi.reader> = async (ctx, { students, reach }) => {
  const found = await writableOf(ctx, students);
  return describeReaders(
    ctx,
    found.map(({ id }) => id),
    reach as Reach,
  );
};

export const skills: Handler<typeof noteApi.skills> = async (ctx, { students }) => {
  const stages = [...new Set((await writableOf(ctx, students)).map(({ stage }) => stage))];
  const [stage] = stages;
  if (stage === undefined || stages.length > 1) return { skills: [], levels: [] };
  const { skills, levels } = await offeredSkills(ctx, stage as 'Middle');
  return {
    skills: skills.map(({ id, name, domain }) => ({ id, name, domain })),
    levels: levels.map(({ id, name }) => ({ id, name })),
  };
};
