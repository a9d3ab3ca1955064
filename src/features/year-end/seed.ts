import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { SeedPlan } from '#database/seed/plan.ts';
import type { Context } from '#kit/server/context.ts';

/** The families are asked about the next year: of most children there is an answer, a few leave, and of two the guardians differ. */
export async function seed({ db }: Context, _app: FastifyInstance, { today }: SeedPlan) {
  const { rows } = await sql<{ id: number }>`
    insert into year_question (to_year_id, from_year_id, words, grade_ids, opens_on, closes_on)
    select later.id, year.id, 'Will your child be with us next year? If you are not sure yet, tell us that too.',
      array(select id from academic_grade where is_active and next_grade_id is not null order by position),
      ${today}::date - 10, least(${today}::date + 20, year.ends_on)
    from academic_year year
    join lateral (select id from academic_year later where later.is_active and later.starts_on > year.ends_on
      order by later.starts_on limit 1) later on true
    where year.id = academic_year_on(${today}::date) returning to_year_id as id`.execute(db);
  const [question] = rows;
  if (!question) return;
  await sql`insert into year_asking (to_year_id, guardian_id, round, sent_at, student_ids)
    select ${question.id}::integer, adult.guardian_id, 'ask',
      (${today}::date - 10 + time '17:00')::timestamp at time zone 'Asia/Kolkata', array_agg(own.student_id order by own.student_id)
    from year_proposal own join year_asked_adult adult on adult.student_id = own.student_id
    where own.to_year_id = ${question.id} group by adult.guardian_id`.execute(db);
  await sql`
    with asked as materialized (
      select own.student_id, adult.ids, row_number() over (order by own.student_id) as place
      from year_proposal own
      join lateral (select array_agg(guardian_id order by guardian_id) as ids from year_asked_adult
        where student_id = own.student_id) adult on adult.ids is not null
      where own.to_year_id = ${question.id}),
    differing as (select * from asked where place % 5 = 3 and cardinality(ids) > 1 order by place limit 2),
    said as (
      select student_id, ids[1] as guardian_id, place, case when place in (1, 131, 261, 391, 521, 651) then 'Leaving'
        when place % 40 = 2 then 'Not sure' else 'Staying' end as answer
      from asked where place % 5 < 3
      union all select student_id, ids[1], place, 'Staying' from differing
      union all select student_id, ids[2], place, 'Leaving' from differing)
    insert into year_answer (to_year_id, student_id, guardian_id, answer, made_at)
    select ${question.id}::integer, student_id, guardian_id, answer,
      (${today}::date - 9 + (place % 9)::integer + time '19:40')::timestamp at time zone 'Asia/Kolkata'
    from said order by place, answer desc`.execute(db);
}
