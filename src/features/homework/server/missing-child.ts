import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { openingsOf } from '#features/family/api.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { type MissingOfChild, missingChildApi } from '../contract/missing-child.ts';
import { homeworkReaders } from '../contract/words.ts';
import { listOfChildren } from './child-homework.ts';
import { isSeen } from './delivery.ts';

const read: Handler<typeof missingChildApi.read> = async (ctx, { id }) => {
  const { db, user } = ctx;
  const today = toLocalDate(ctx.now());
  const { rows: found } = await sql<{ name: string; section: string; from: string }>`
    select student.name, coalesce(academic_section_name(grade.name, section.name), '') as section,
      year.starts_on::text as "from"
    from student_on(${today}::date) here join student on student.id = here.student_id
    join academic_year year on ${today}::date between year.starts_on and year.ends_on
    left join academic_section section on section.id = here.section_id
    left join academic_grade grade on grade.id = section.grade_id
    where here.student_id = ${id}
      and ${inScope(user, homeworkReaders, { branch: sql`here.branch_id`, section: sql`here.section_id` })}`.execute(
    db,
  );
  const [child] = found;
  if (!child) throw notFound();
  const items = (await listOfChildren(ctx, [id], { from: child.from, to: today })).flatMap(({ status, ...item }) =>
    status === 'Missing' || status === 'Not done' || status === 'Incomplete' ? [{ ...item, status }] : [],
  );
  const reached = await db
    .selectFrom('homework_section as given')
    .where('given.id', '=', sql<number>`any(${items.map(({ deliveryId }) => deliveryId)}::integer[])`)
    .where(isSeen(ctx, homeworkReaders))
    .select('given.id')
    .execute();
  const seen = await openingsOf(ctx, id, { from: child.from, to: today });
  const rows = items
    .filter(({ deliveryId }) => reached.some((given) => given.id === deliveryId))
    .map(({ deliveryId, subject, title, dueOn, status, assignedOn }): MissingOfChild['rows'][number] => ({
      ...{ id: deliveryId, subject, title, dueOn, status },
      seenOn: seen.find((day) => day >= assignedOn) ?? '',
    }))
    .toSorted((one, other) => one.subject.localeCompare(other.subject) || one.dueOn.localeCompare(other.dueOn));
  return { studentId: id, name: child.name, section: child.section, rows };
};

export const missingChildRoutes = routes(missingChildApi, { read });
