import { sql } from 'kysely';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { readSettings } from '#kit/server/settings.ts';
import type { homeworkApi, loadApi } from '../contract/homework.ts';
import { type Load, loadOf, minutesIn, overLimit, type Stage, spread } from '../contract/load.ts';
import { homeworkGivers } from '../contract/words.ts';
import { isSeen } from './delivery.ts';
import { readItems, readLimits, readSchoolDays, spanOf, weeksAround } from './load.ts';
import { blocksOver } from './settings.ts';

interface Section {
  id: number;
  name: string;
  gradeId: number;
  stage: Stage;
  /** Those who have the subject on the day. */
  children: number[];
}

/** The sections that the user reaches. */
async function readSections(ctx: UserContext, ids: readonly number[], subjectId: number, day: string) {
  const { rows } = await sql<Section>`
    select given.section_id as id, academic_section_name(grade.name, given.name) as name, given.grade_id as "gradeId",
      grade.stage, array(
        select own.student_id from student_on(${day}) own
        join configuration_grade_subject taught on taught.academic_year_id = own.academic_year_id
          and taught.program_id = own.program_id and taught.grade_id = own.grade_id and taught.subject_id = ${subjectId}
        where own.section_id = given.section_id
          and (taught.is_compulsory or exists (select from student_subject taken
            where taken.enrollment_id = own.enrollment_id and taken.subject_id = taught.subject_id))) as children
    from (select id as section_id, branch_id, grade_id, name from academic_section) as given
    join academic_grade grade on grade.id = given.grade_id
    where given.section_id = any(${[...ids]}::integer[]) and ${isSeen(ctx, homeworkGivers)}
    order by grade.position, lower(given.name), given.section_id`.execute(ctx.db);
  return rows;
}

export const students: Handler<typeof homeworkApi.students> = async (ctx, { sectionId, subjectId }) => {
  const [section] = await readSections(ctx, [sectionId], subjectId, toLocalDate(ctx.now()));
  if (!section) throw new AppError('not_found', notFoundMessage);
  const rows = await ctx.db
    .selectFrom('student')
    .where('id', '=', sql<number>`any(${section.children}::integer[])`)
    .select(['id', 'name'])
    .orderBy('sort_name')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, isActive: true }));
};

/** Of the child with most. */
const heaviest = (load: Load, day: string) =>
  Math.max(0, ...[...load.values()].map((own) => minutesIn(own, day, { minutes: 0, per: 'day' })));

/** Beyond some weeks the bars of a project would say nothing. */
const longest = 27;

export const load: Handler<typeof loadApi.load> = async (ctx, { sectionIds, subjectId, dueOn, without, ...asked }) => {
  const [kind, minutes] = [String(asked.kind), asked.minutes ?? 0];
  const assignedOn = asked.assignedOn || toLocalDate(ctx.now());
  const ids = sectionIds.split(',').map(Number);
  const sections = await readSections(ctx, ids, subjectId, assignedOn);
  const farthest = addDays(dueOn, -longest);
  const isSpread = kind === 'Project' && assignedOn < dueOn;
  const from = [assignedOn, farthest].toSorted()[1] ?? dueOn;
  const span = weeksAround(isSpread ? [from, dueOn] : [dueOn]);
  const stored = await readItems(
    ctx,
    sections.map(({ id }) => id),
    span,
  );
  const items = stored.filter(({ id }) => id !== without);
  const all = spanOf([...items, { kind, minutes, assignedOn, children: [] }], span);
  const grades = sections.map(({ gradeId }) => gradeId);
  const schoolDays = await readSchoolDays(ctx, grades, all);
  const limits = await readLimits(ctx);
  const { isBlocked } = await readSettings(ctx, { isBlocked: blocksOver });
  return {
    isBlocked,
    sections: sections.map(({ id, name, gradeId, stage, children }) => {
      const days = schoolDays.get(gradeId) ?? [];
      const ofSection = items.filter(({ sectionId }) => sectionId === id);
      const own = { kind, minutes, assignedOn, children: children.map((studentId) => ({ studentId, dueOn })) };
      const before = loadOf(ofSection, days);
      const after = loadOf([...ofSection, own], days);
      const touched = [...spread(own, dueOn, days).keys()];
      return {
        sectionId: id,
        section: name,
        limit: limits[stage],
        days: daysFrom(span).map((day) => ({
          day,
          isSchool: days.includes(day),
          minutes: heaviest(after, day),
          before: heaviest(before, day),
        })),
        over: minutes > 0 ? overLimit(after, children, touched, limits[stage]) : [],
        of: children.length,
        items: ofSection.map((item) => ({
          id: item.id,
          title: item.title,
          subject: item.subject,
          teacher: item.teacher,
          dueOn: item.dueOn,
          minutes: item.minutes,
          children: item.isForAll ? null : item.children.length,
        })),
      };
    }),
  };
};

function daysFrom({ first, last }: { first: string; last: string }): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}
