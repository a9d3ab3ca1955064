import { sql } from 'kysely';
import { absentOn } from '#features/attendance/api.ts';
import { readTags } from '#features/tag/api.ts';
import type { UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { readHistory } from '#kit/server/security/history.ts';
import type { GivenPair, Homework, homeworkApi } from '../contract/homework.ts';
import type { Stage } from '../contract/load.ts';
import { type HomeworkKind, homeworkReaders } from '../contract/words.ts';
import { isGiver, isSeen, stateAt } from './delivery.ts';
import { readRoster } from './roster.ts';

/** In a query of `given`: the day until which it counts where the due day has no school, else empty. */
export const countsUntil = sql<string>`case when given.counts_until > given.due_on then given.counts_until::text else '' end`;

/** The active sections with the subjects that the user may give in them today. */
export const given: Handler<typeof homeworkApi.given> = async ({ db, user, now }) => {
  const today = toLocalDate(now());
  const { rows } = await sql<GivenPair>`
    with pairs as materialized (
      select section.id as section_id, taught.subject_id, section.grade_id, section.academic_year_id, section.name
      from academic_year year
      join academic_section section on section.academic_year_id = year.id and section.is_active
      join configuration_grade_subject taught on taught.academic_year_id = section.academic_year_id
        and taught.program_id = section.program_id and taught.grade_id = section.grade_id
      where ${today}::date between year.starts_on and year.ends_on
        and section.id in (select section_id from academic_section_teacher where staff_id = ${user.staffId})
        and homework_may_give(section.id, taught.subject_id, ${user.staffId}, ${today})),
    days as materialized (
      select pairs.academic_year_id, days.grade_id, min(days.day) as day
      from (select distinct academic_year_id, grade_id from pairs) as pairs
      cross join lateral academic_school_days(pairs.academic_year_id, ${addDays(today, 1)}::date, ${addDays(today, 120)}::date)
        as days
      where days.work > 0 and days.grade_id = pairs.grade_id group by 1, 2)
    select pairs.section_id as "sectionId", pairs.subject_id as "subjectId", subject.name as subject, grade.stage,
      academic_section_name(grade.name, pairs.name) as section, coalesce(days.day::text, '') as "dueOn"
    from pairs
    join configuration_subject subject on subject.id = pairs.subject_id and subject.is_active
    join academic_grade grade on grade.id = pairs.grade_id
    left join days on days.academic_year_id = pairs.academic_year_id and days.grade_id = pairs.grade_id
    order by grade.position, lower(pairs.name), pairs.section_id, lower(subject.name)`.execute(db);
  return { today, pairs: rows };
};

const found = (ctx: UserContext) =>
  ctx.db
    .selectFrom('homework_section as given')
    .innerJoin('homework as content', 'content.id', 'given.homework_id')
    .innerJoin('academic_section as section', 'section.id', 'given.section_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'given.grade_id')
    .innerJoin('configuration_subject as subject', 'subject.id', 'given.subject_id')
    .innerJoin('staff as owner', 'owner.id', 'content.owner_id')
    .innerJoin('academic_year as year', 'year.id', 'given.academic_year_id')
    .where(isSeen(ctx, homeworkReaders));

export const read: Handler<typeof homeworkApi.read> = async (ctx, { id }) => {
  const { user, now } = ctx;
  const today = toLocalDate(now());
  const row = await found(ctx)
    .where('given.id', '=', id)
    .select(['given.id', 'given.homework_id', 'given.version', 'content.version as contentVersion', 'content.title'])
    .select(['content.minutes', 'content.kind', 'content.instructions', 'content.shows_feedback as showsFeedback'])
    .select(['given.section_id as sectionId', 'given.subject_id as subjectId', 'subject.name as subject'])
    .select(['owner.name as teacher', 'given.assigned_on as assignedOn', 'given.due_on as dueOn', 'given.late_until'])
    .select(['given.publish_at', 'given.is_for_all as isForAll', 'given.over_reason as overReason'])
    .select(['given.cancelled_reason as cancelledReason', 'year.status as yearStatus'])
    .select(sql<Stage>`grade.stage`.as('stage'))
    .select(sql<number | null>`content.max_marks::float`.as('maxMarks'))
    .select(({ fn }) => fn<string>('academic_section_name', ['grade.name', 'section.name']).as('section'))
    .select([stateAt(now()).as('state'), isGiver(ctx).as('isGiver'), countsUntil.as('countsUntil')])
    .select(
      sql<
        string[]
      >`array(select address from homework_link link where link.homework_id = content.id order by position)`.as(
        'links',
      ),
    )
    .select(
      sql<{ id: string; name: string; mediaType: string }[]>`coalesce((select json_agg(json_build_object('id', file.id,
        'name', file.name, 'mediaType', file.media_type) order by file.stored_at, file.id) from homework_file own
        join file on file.id = own.file_id where own.homework_id = content.id), '[]')`.as('files'),
    )
    .select(
      sql<Homework['skills']>`coalesce((select json_agg(json_build_object('id', skill.id, 'name', skill.name,
        'group', domain.name) order by domain.position, lower(skill.name)) from homework_skill own
        join configuration_skill skill on skill.id = own.skill_id
        join configuration_skill_domain domain on domain.id = skill.skill_domain_id
        where own.homework_id = content.id), '[]')`.as('skills'),
    )
    .executeTakeFirstOrThrow(notFound);
  const tags = (await readTags(ctx, 'Homework', [row.homework_id])).get(row.homework_id) ?? [];
  const others = await found(ctx)
    .where('given.homework_id', '=', row.homework_id)
    .where('given.id', '<>', id)
    .select('given.id')
    .select(({ fn }) => fn<string>('academic_section_name', ['grade.name', 'section.name']).as('section'))
    .orderBy('grade.position')
    .orderBy('section.name')
    .execute();
  const children = await readRoster(ctx, id, today);
  const absent = await absentOn(
    ctx,
    row.assignedOn,
    children.map(({ studentId }) => studentId),
  );
  const { homework_id: homeworkId, late_until, publish_at, isGiver: isOwn, yearStatus, ...rest } = row;
  const isOpen = yearStatus !== 'Closed';
  const mayGive = isOpen && isOwn && user.sets.some((set) => set === 'classTeacher' || set === 'subjectTeacher');
  const mayClose = isOpen && (mayGive || user.sets.includes('principal'));
  const isOut = row.state === 'Published';
  return {
    ...rest,
    homeworkId,
    tags: tags.map(({ id: tagId, name, group }) => ({ id: tagId, name, group })),
    kind: row.kind as HomeworkKind,
    lateUntil: late_until ?? '',
    publishAt: publish_at?.toISOString() ?? null,
    today,
    others,
    children: children.map(({ deliveryId: _, ...child }) => ({
      ...child,
      wasAbsent: absent.some(({ studentId }) => studentId === child.studentId),
    })),
    may: {
      change: mayGive && row.state !== 'Cancelled' && row.state !== 'Closed',
      check: mayGive && isOut,
      publish: mayGive && row.state === 'Draft',
      close: mayClose && isOut,
      reopen: mayClose && row.state === 'Closed',
      cancel: mayGive && (isOut || row.state === 'Scheduled'),
      remove: mayGive && row.state === 'Draft',
    },
  };
};

export const history: Handler<typeof homeworkApi.history> = async (ctx, asked) => {
  await found(ctx).where('given.id', '=', asked.id).select('given.id').executeTakeFirstOrThrow(notFound);
  return readHistory(ctx, 'homework_section', asked);
};
