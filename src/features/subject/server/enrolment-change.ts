import { sql } from 'kysely';
import { type EnrolmentChange, enrolmentHook, regradeHook } from '#features/student/contract/hooks.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { ActingContext } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';

/** A chosen subject with the group that it was chosen of. */
interface Chosen {
  enrollmentId: number;
  subjectId: number;
  groupId: number | null;
  name: string;
}

/** What each enrolment has chosen. */
async function readChosen({ db }: Pick<ActingContext, 'db'>, enrollmentIds: readonly number[]): Promise<Chosen[]> {
  const { rows } = await sql<Chosen>`
    select own.enrollment_id as "enrollmentId", own.subject_id as "subjectId", taken.elective_group_id as "groupId", subject.name
    from student_subject own
    join configuration_subject subject on subject.id = own.subject_id
    join configuration_grade_subject taken on taken.academic_year_id = own.academic_year_id
      and taken.program_id = own.program_id and taken.grade_id = own.grade_id and taken.subject_id = own.subject_id
    where own.enrollment_id = any(${[...enrollmentIds]}::integer[])
    order by own.enrollment_id, subject.name`.execute(db);
  return rows;
}

/** What the children of new enrolments chose before: in the year before, or in the grade that they come from within a year. */
async function readFormer({ db }: Pick<ActingContext, 'db'>, changes: readonly EnrolmentChange[]): Promise<Chosen[]> {
  const { rows } = await sql<Chosen>`
    select asked."enrollmentId", chosen.subject_id as "subjectId", taken.elective_group_id as "groupId", subject.name
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as asked ("enrollmentId" integer, kind text, day date)
    join student_enrollment own on own.id = asked."enrollmentId"
    join lateral student_place(own.student_id, own.joined_on - 1,
      case when asked.kind = 'joined' then null else own.academic_year_id end) former on former.tense <> 'future'
      -- A move within an enrolment brings nothing back that the office has removed.
      and (asked.kind = 'joined' or own.joined_on = asked.day)
    join student_subject chosen on chosen.enrollment_id = former.enrollment_id
    join configuration_subject subject on subject.id = chosen.subject_id
    join configuration_grade_subject taken on taken.academic_year_id = chosen.academic_year_id
      and taken.program_id = chosen.program_id and taken.grade_id = chosen.grade_id and taken.subject_id = chosen.subject_id
    where not exists (select from student_subject present where present.enrollment_id = own.id)
    order by asked."enrollmentId", subject.name`.execute(db);
  return rows;
}

/**
 * Copies choices that the grade of the enrolment offers in the same group. Of a group that allows fewer than were chosen none
 * is copied: the child chooses. Returns the copied ones.
 */
async function copyChosen({ db }: Pick<ActingContext, 'db'>, chosen: readonly Chosen[]) {
  const { rows } = await sql<Pick<Chosen, 'enrollmentId' | 'subjectId'>>`
    with wanted as materialized (
      select own.id, own.student_id, own.academic_year_id, own.branch_id, own.program_id, own.grade_id, taken.subject_id,
        choice.max_choices, count(*) over (partition by own.id, taken.elective_group_id) as chosen
      from jsonb_to_recordset(${JSON.stringify(chosen)}::jsonb)
        as input ("enrollmentId" integer, "subjectId" integer, "groupId" integer)
      join student_enrollment own on own.id = input."enrollmentId"
      join configuration_grade_subject taken on taken.academic_year_id = own.academic_year_id
        and taken.program_id = own.program_id and taken.grade_id = own.grade_id and taken.subject_id = input."subjectId"
        and not taken.is_compulsory and taken.elective_group_id is not distinct from input."groupId"
      join configuration_subject subject on subject.id = taken.subject_id and subject.is_active
      left join configuration_elective_group choice on choice.id = taken.elective_group_id
      where coalesce(choice.is_active, true))
    insert into student_subject (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, subject_id)
      select id, student_id, academic_year_id, branch_id, program_id, grade_id, subject_id from wanted
      where chosen <= coalesce(max_choices, chosen) order by id, subject_id
      on conflict (enrollment_id, subject_id) do nothing
      returning enrollment_id as "enrollmentId", subject_id as "subjectId"`.execute(db);
  return rows;
}

/** What became of the choices: those of one child by name, of several in sums. */
function wordsOf(chosen: readonly Chosen[], copied: readonly Pick<Chosen, 'enrollmentId' | 'subjectId'>[]): Text[] {
  const isCopied = (one: Chosen) =>
    copied.some(({ enrollmentId, subjectId }) => enrollmentId === one.enrollmentId && subjectId === one.subjectId);
  const lost = chosen.filter((one) => !isCopied(one));
  const children = (of: readonly Chosen[]) => new Set(of.map(({ enrollmentId }) => enrollmentId)).size;
  if (children(chosen) <= 1) {
    const names = (of: readonly Chosen[]) => of.map(({ name }) => name).join(', ');
    const kept = chosen.filter(isCopied);
    return [
      ...(kept.length > 0 ? [text`Electives kept: ${{ names: names(kept) }}`] : []),
      ...(lost.length > 0 ? [text`Electives to choose again: ${{ names: names(lost) }}`] : []),
    ];
  }
  return [
    text(
      { message: '{n, plural, one {# student keeps} other {# students keep}} electives of the same group.' },
      { n: children(chosen.filter(isCopied)) },
    ),
    ...(lost.length > 0
      ? [
          text(
            { message: '{n, plural, one {# student has} other {# students have}} electives to choose again.' },
            { n: children(lost) },
          ),
        ]
      : []),
  ];
}

/** Choices of a grade or branch that the enrolment leaves in its place are taken off, and kept. */
export const takeElectives = answer(regradeHook, { by: 'subject', step: 4 }, async (ctx, enrollmentIds) => {
  const chosen = await readChosen(ctx, enrollmentIds);
  if (chosen.length > 0)
    await ctx.db
      .deleteFrom('student_subject')
      .where('enrollment_id', '=', sql<number>`any(${[...enrollmentIds]}::integer[])`)
      .execute();
  return Object.fromEntries(Map.groupBy(chosen, ({ enrollmentId }) => enrollmentId));
});

/**
 * Electives end with their enrolment and remain recorded; those of a cancelled enrolment are deleted until it returns. A child
 * in a new enrolment keeps what the grade offers.
 */
export const changeElectives = answer(enrolmentHook, { by: 'subject', step: 4 }, async (ctx, changes) => {
  const { db } = ctx;
  const of = (...kinds: string[]) =>
    changes.filter(({ kind }) => kinds.includes(kind)).map(({ enrollmentId }) => enrollmentId);
  const rows = await readChosen(ctx, of('left', 'cancelled'));
  const cancelled = of('cancelled');
  const dropped = rows.filter(({ enrollmentId }) => cancelled.includes(enrollmentId));
  if (dropped.length > 0) await db.deleteFrom('student_subject').where('enrollment_id', 'in', cancelled).execute();
  const kept = changes.flatMap(({ kind, enrollmentId, kept: own }) =>
    kind === 'back' ? ((own?.subject ?? []) as number[]).map((subjectId) => ({ enrollmentId, subjectId })) : [],
  );
  if (kept.length > 0)
    // A subject that the grade no longer offers does not return.
    await sql`insert into student_subject
        (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, subject_id)
      select enrollment.id, enrollment.student_id, enrollment.academic_year_id, enrollment.branch_id,
        enrollment.program_id, enrollment.grade_id, input."subjectId"
      from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as input ("enrollmentId" integer, "subjectId" integer)
      join student_enrollment enrollment on enrollment.id = input."enrollmentId"
      join configuration_grade_subject taken on taken.academic_year_id = enrollment.academic_year_id
        and taken.program_id = enrollment.program_id and taken.grade_id = enrollment.grade_id
        and taken.subject_id = input."subjectId"
      on conflict (enrollment_id, subject_id) do nothing`.execute(db);
  const begun = changes.filter(({ kind }) => kind === 'joined' || kind === 'regraded' || kind === 'moved');
  const taken = begun.flatMap(({ kept: own }) => (own?.subject ?? []) as Chosen[]);
  const former =
    begun.length > 0
      ? [
          ...taken,
          ...(await readFormer(
            ctx,
            begun.filter(({ kept: own }) => !own),
          )),
        ]
      : [];
  const copied = former.length > 0 ? await copyChosen(ctx, former) : [];
  const names = [...new Set(rows.map(({ name }) => name))];
  return {
    texts: [
      ...(names.length > 0 ? [text`Electives: ${{ names: names.join(', ') }}`] : []),
      ...(former.length > 0 ? wordsOf(former, copied) : []),
    ],
    blocks: [],
    basis: [
      rows.map(({ enrollmentId, subjectId, name }) => [enrollmentId, subjectId, name]),
      former.map(({ subjectId, groupId }) => [subjectId, groupId]),
      copied.map(({ subjectId }) => subjectId),
    ],
    kept: Object.fromEntries(
      [...Map.groupBy(dropped, ({ enrollmentId }) => enrollmentId)].map(([enrollmentId, own]) => [
        enrollmentId,
        own.map(({ subjectId }) => subjectId),
      ]),
    ),
  };
});
