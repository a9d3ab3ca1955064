import { sql } from 'kysely';
import { lockOpenYear, readYear } from '#features/calendar/api.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { audit } from '#kit/server/security/audit.ts';
import type { sectionTeacherApi } from '../contract/section-teacher.ts';
import { type Entry, entryOf, insertAll, isHere, rules } from './teacher-entry.ts';

/** Copies the assignments at the end of one year to the same sections of another. Also returns every row it read. */
export async function copyTeachers(ctx: UserContext, fromYearId: number, toYearId: number) {
  const from = await readYear(ctx, fromYearId);
  const to = await lockOpenYear(ctx, toYearId);
  const { rows } = await sql<{ what: string; why: string; entry: Entry }>`
    select concat_ws(': ', academic_section_name(grade.name, section.name), coalesce(subject.name, own.role),
        staff.name) as what,
      case
        when there.id is null then 'section'
        when not ${isHere} or (select max(coalesce(last_day, 'infinity')) from staff_employment
          where staff_id = staff.id) < ${to.ends_on}::date then 'left'
        when own.subject_id is not null and not exists (select 1 from configuration_grade_subject taken
          where taken.academic_year_id = ${toYearId} and taken.program_id = own.program_id
            and taken.grade_id = own.grade_id and taken.subject_id = own.subject_id) then 'subject'
        when exists (select 1 from academic_section_teacher other where other.section_id = there.id
          and other.role = own.role and other.subject_id is not distinct from own.subject_id) then 'there'
        else '' end as why,
      ${entryOf} || jsonb_build_object('sectionId', there.id, 'effectiveFrom', ${to.starts_on}::text, 'effectiveTo', '')
        as entry
    from academic_section_teacher own
    join academic_section section on section.id = own.section_id
    join academic_grade grade on grade.id = section.grade_id
    join staff on staff.id = own.staff_id
    left join configuration_subject subject on subject.id = own.subject_id
    left join academic_section there on there.academic_year_id = ${toYearId} and there.branch_id = section.branch_id
      and there.program_id = section.program_id and there.grade_id = section.grade_id
      and lower(there.name) = lower(section.name) and there.is_active
    where own.academic_year_id = ${fromYearId} and coalesce(own.effective_to, ${from.ends_on}) >= ${from.ends_on}
    order by grade.position, lower(section.name), own.id`.execute(ctx.db);
  const added = rows.filter(({ why }) => why === '').map(({ entry }) => entry);
  const alreadyThere = rows.filter(({ why }) => why === 'there').length;
  const left = rows
    .filter(({ why }) => why in whyLeft)
    .map(({ what, why }) => ({ what, why: whyLeft[why as keyof typeof whyLeft] }));
  if (added.length > 0) {
    await withConstraintMessages(ctx, rules, () => insertAll(ctx.db, added));
    const details = { from: from.name, to: to.name, added: added.length };
    await audit(ctx, { action: 'section-teacher.copied', entity: 'academic_year', entityId: toYearId, details });
  }
  return { added: added.length, alreadyThere, left, rows };
}

export const copy: Handler<typeof sectionTeacherApi.copy> = (ctx, { confirmToken, ...input }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const { left, rows, ...counts } = await copyTeachers(ctx, input.fromYearId, input.toYearId);
    return { answer: { ...counts, left: left.slice(0, 100) }, basis: [input, rows] };
  });

/** Why an assignment is not copied. */
const whyLeft = {
  section: text`This section does not exist in the new year.`,
  left: text`This entry is inactive. Choose another one.`,
  subject: text`This subject is not taught in this grade. Add it in the Subject Master.`,
};
