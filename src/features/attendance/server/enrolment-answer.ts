import { sql } from 'kysely';
import type { EnrolmentChange } from '#features/student/contract/hooks.ts';
import { enrolmentHook } from '#features/student/contract/hooks.ts';
import { showDate } from '#kit/contract/day.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { ActingContext } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';

/** Marks of days on which a move or a leaving, entered late, puts the child elsewhere. It changes none of them. */
export const answerEnrolment = answer(enrolmentHook, { by: 'attendance', step: 7 }, async (ctx, changes) => {
  const { db } = ctx;
  const uncounted = await uncountedMarks(ctx, changes);
  const asked = changes
    .filter(({ kind }) => kind === 'moved' || kind === 'regraded' || kind === 'left')
    .map((change) => ({ ...change, kind: change.kind === 'left' ? 'left' : 'moved' }));
  const { rows } = await sql<{ kind: string; day: string; from: string; to: string; marks: number; present: number }>`
    select asked.kind, min(asked.day)::text as day, academic_section_name(grade.name, section.name) as "from",
      coalesce(academic_section_name(new_grade.name, new_section.name), '') as "to",
      count(*)::integer as marks, count(*) filter (where code.value > 0)::integer as present
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as asked ("studentId" integer, "yearId" integer, kind text, day date)
    join attendance_mark mark on mark.student_id = asked."studentId" and mark.academic_year_id = asked."yearId"
      and (mark.day > asked.day or (asked.kind = 'moved' and mark.day = asked.day))
    join attendance_code code on code.id = mark.code_id
    join attendance_register register on register.id = mark.register_id
    join academic_section section on section.id = register.section_id
    join academic_grade grade on grade.id = section.grade_id
    left join student_section own on asked.kind = 'moved' and own.student_id = mark.student_id
      and own.academic_year_id = mark.academic_year_id
      and mark.day between own.effective_from and coalesce(own.effective_to, 'infinity')
    left join academic_section new_section on new_section.id = own.section_id
    left join academic_grade new_grade on new_grade.id = new_section.grade_id
    where asked.kind = 'left' or register.section_id is distinct from own.section_id
    group by 1, 3, 4 order by 1, 3, 4`.execute(db);
  const texts = rows.map(({ kind, day, from, to, marks, present }) => {
    const date = showDate(day);
    if (kind === 'left')
      return text(
        {
          message:
            '{marks, plural, one {# mark} other {# marks}} after {date} ({present} present) will not count. Is the last day right?',
        },
        { marks, present, date },
      );
    return to === ''
      ? text(
          { message: '{marks, plural, one {# mark} other {# marks}} from {date} on: taken in {from}.' },
          { marks, date, from },
        )
      : text(
          {
            message:
              '{marks, plural, one {# mark} other {# marks}} from {date} on: taken in {from}. They count once, in the month of {to}.',
          },
          { marks, date, from, to },
        );
  });
  return {
    texts: [...texts, ...uncounted.texts],
    blocks: uncounted.blocks,
    basis: [rows.map(({ kind, from, to, marks }) => [kind, from, to, marks]), uncounted.basis],
    each: await marksOf(ctx, changes),
  };
});

/** The marks in the year of an enrolment that is cancelled: one who has them has been in it. */
async function marksOf({ db }: Pick<ActingContext, 'db'>, changes: readonly EnrolmentChange[]) {
  const cancelled = changes.filter(({ kind, neverJoined }) => kind === 'cancelled' && !neverJoined);
  if (cancelled.length === 0) return [];
  const { rows } = await sql<{ studentId: number; marks: number }>`
    select asked."studentId", count(*)::integer as marks
    from jsonb_to_recordset(${JSON.stringify(cancelled)}::jsonb) as asked ("studentId" integer, "yearId" integer)
    join attendance_mark mark on mark.student_id = asked."studentId" and mark.academic_year_id = asked."yearId"
    group by asked."studentId" order by 1`.execute(db);
  return rows.map(({ studentId, marks }) => ({
    studentId,
    text: text({ message: '{marks, plural, one {# mark in a register} other {# marks in registers}}' }, { marks }),
    isBlock: true as const,
  }));
}

/** Marks of children who never joined: they remain and count nowhere. A day on which one was here contradicts it. */
async function uncountedMarks({ db }: Pick<ActingContext, 'db'>, changes: readonly EnrolmentChange[]) {
  const asked = changes.filter(({ neverJoined }) => neverJoined);
  if (asked.length === 0) return { texts: [], blocks: [], basis: [] };
  const { rows } = await sql<{ marks: number; present: number; day: string | null }>`
    select count(*)::integer as marks, count(*) filter (where code.value > 0)::integer as present,
      min(mark.day) filter (where code.value > 0)::text as day
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as asked ("studentId" integer, "yearId" integer)
    join attendance_mark mark on mark.student_id = asked."studentId" and mark.academic_year_id = asked."yearId"
    join attendance_code code on code.id = mark.code_id`.execute(db);
  const [{ marks, present, day } = { marks: 0, present: 0, day: null }] = rows;
  const texts: Text[] =
    marks === 0
      ? []
      : [
          text(
            { message: '{marks, plural, one {# mark no longer counts.} other {# marks no longer count.}}' },
            { marks },
          ),
        ];
  const blocks = day
    ? [text`The student was marked as here on ${{ day: showDate(day) }}. Enter the last day instead.`]
    : [];
  return { texts, blocks, basis: [marks, present] };
}
