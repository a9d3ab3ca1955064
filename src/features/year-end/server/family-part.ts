import { sql } from 'kysely';
import { familyPart } from '#features/family/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { type FamilyQuestion, familyQuestions, stayingApi } from '../contract/family.ts';

/** The question about each child, from its first day until the year that it asks about begins. */
export const stayingPart = familyPart({
  key: 'year-end',
  output: familyQuestions,
  isPrivate: true,
  read: async ({ db }, { guardianId, day, children }) => {
    const { rows } = await sql<FamilyQuestion>`
      select own.student_id as "studentId", year.name as year, question.words, question.closes_on::text as until,
        case when own.is_of_office then 'Office' when question.closes_on < ${day}::date then 'Over' else 'Open' end as state,
        coalesce(given.answer, '') as answer, coalesce(given.next_school, '') as "nextSchool"
      from year_question question
      join academic_year year on year.id = question.to_year_id and year.starts_on > ${day}::date
      join year_proposal own on own.to_year_id = question.to_year_id
      join year_asked_adult adult on adult.student_id = own.student_id and adult.guardian_id = ${guardianId}
      left join lateral (select answer, next_school from year_answer mine where mine.to_year_id = question.to_year_id
        and mine.student_id = own.student_id and mine.guardian_id = ${guardianId} order by mine.id desc limit 1) given on true
      where question.opens_on <= ${day}::date
        and own.student_id = any(${children.map(({ studentId }) => studentId)}::integer[])
      order by own.student_id`.execute(db);
    return rows;
  },
});

/** Answers of one link within an hour: far more than a family needs. */
const tries = { kind: 'family-staying', most: 60, windowSeconds: 3600 };

const answer: Handler<typeof stayingApi.answer> = async (ctx, { studentId, answer: word, nextSchool }) => {
  const { db, now, holder } = ctx;
  const wait = await countHit(db, tries, String(holder.id));
  if (wait > 0) throw new AppError('too_many_tries', text`Too many attempts. Try again later.`, { retryAfter: wait });
  const day = toLocalDate(now());
  // The question before the answer: its days do not change while an answer is kept.
  const { rows } = await sql<{ toYearId: number; closesOn: string; isOfOffice: boolean }>`
    select question.to_year_id as "toYearId", question.closes_on::text as "closesOn", own.is_of_office as "isOfOffice"
    from year_question question
    join academic_year year on year.id = question.to_year_id and year.starts_on > ${day}::date
    join year_proposal own on own.to_year_id = question.to_year_id and own.student_id = ${studentId}
    join family_children(${holder.id}, ${day}::date) child on child.student_id = own.student_id and child.reach = 'All'
    where question.opens_on <= ${day}::date
    order by question.to_year_id limit 1 for share of question`.execute(db);
  const [question] = rows;
  if (!question) throw notFound();
  if (question.closesOn < day)
    throw new AppError(
      'conflict',
      text`Answers were taken until ${{ day: showDate(question.closesOn) }}. The school’s office can change it.`,
    );
  if (question.isOfOffice)
    throw new AppError('conflict', text`The school’s office has answered this. Call it to change the answer.`);
  await db
    .insertInto('year_answer')
    .values({
      to_year_id: question.toYearId,
      student_id: studentId,
      guardian_id: holder.id,
      answer: word,
      next_school: word === 'Leaving' ? nextSchool : '',
      made_at: now(),
    })
    .execute();
  await audit(ctx, {
    actor: 'Parent',
    action: 'year-answer.given',
    entity: 'student',
    entityId: studentId,
    details: { Answer: word },
  });
  return {};
};

export const stayingRoutes = routes(stayingApi, { answer });
