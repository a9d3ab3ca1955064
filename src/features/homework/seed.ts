import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { SeedPlan } from '#database/seed/plan.ts';
import type { Context } from '#kit/server/context.ts';

/** Homework of the last ten weeks: most is closed, that of the last days waits to be checked, and some is scheduled. */
export async function seed({ db }: Context, _app: FastifyInstance, { today, random }: SeedPlan) {
  const seedNumber = random('homework').upTo(1_000_000);
  await db.transaction().execute(async (db) => {
    await giveHomework(db, today, seedNumber);
    await sql`select take_statistics('homework_section'::regclass)`.execute(db);
    await addDetails(db, today);
    await checkHomework(db, today, seedNumber);
    await sql`select take_statistics('homework_result'::regclass)`.execute(db);
    await prepareHomework(db, today);
  });
}

/** A number from 0 to 999 that follows from some words and the seed. */
const chance = (words: ReturnType<typeof sql>, seedNumber: number) =>
  sql`('x' || substr(md5(${words} || ' ' || ${seedNumber}::text), 1, 7))::bit(28)::integer % 1000`;

const titles = [
  'Exercise 4.2, sums 1 to 10',
  'Worksheet 7',
  'Read chapter 5 aloud',
  'Revise unit 3',
  'Write a paragraph about the monsoon',
  'Learn the new words of lesson 6',
  'Label the map of India',
  'Practise the poem of the week',
  'Answer the questions at the end of the lesson',
  'Draw and name the parts of a plant',
];

/** Most school days bring a section one item of one of its teachers, the same for the other sections of that teacher's grade. */
const giveHomework = (db: Context['db'], today: string, seedNumber: number) =>
  sql`
    with days as materialized (
      select year.id as year_id, days.grade_id, days.day, lead(days.day) over (partition by days.grade_id order by days.day) as next_day,
        lead(days.day, 2) over (partition by days.grade_id order by days.day) as second_day
      from academic_year year, academic_school_days(year.id, greatest(year.starts_on, ${today}::date - 70), ${today}::date + 12) as days
      where year.id = academic_year_on(${today}::date) and days.work > 0 and days.grade_id is not null),
    lessons as materialized (
      select own.section_id, own.subject_id, min(own.staff_id) as staff_id,
        row_number() over (partition by own.section_id order by own.subject_id) as number,
        count(*) over (partition by own.section_id) as count
      from academic_section_teacher own join configuration_subject subject on subject.id = own.subject_id
      where own.effective_to is null and subject.kind in ('Scholastic', 'Language')
      group by own.section_id, own.subject_id),
    picked as materialized (
      select section.*, grade.stage, days.day, days.next_day, days.second_day, lessons.subject_id, lessons.staff_id,
        ${chance(sql`lessons.staff_id || ' ' || lessons.subject_id || ' ' || section.grade_id || ' ' || days.day`, seedNumber)} as chance
      from academic_section section
      join academic_grade grade on grade.id = section.grade_id and grade.stage <> 'Foundational'
      join days on days.year_id = section.academic_year_id and days.grade_id = section.grade_id
      join lessons on lessons.section_id = section.id
        and lessons.number = 1 + (section.grade_id + (days.day - date '2020-01-01')) % lessons.count
      where section.is_active and days.day <= ${today} and days.second_day is not null),
    wanted as materialized (
      select * from picked where chance < case stage when 'Preparatory' then 380 else 620 end),
    content as (
      insert into homework (academic_year_id, subject_id, owner_id, title, kind, minutes, max_marks, instructions)
      select academic_year_id, subject_id, staff_id,
        (${titles}::text[])[1 + min(chance) % ${titles.length}] || ', ' || to_char(day, 'FMDD Mon'),
        (array['Written', 'Practice', 'Reading', 'Revision'])[1 + min(chance) % 4],
        case stage when 'Preparatory' then 20 else 20 + 5 * (min(chance) % 4) end,
        case when min(chance) % 4 = 0 then 10 end,
        case when min(chance) % 3 = 0 then 'Write neatly and show your work.' else '' end
      from wanted group by academic_year_id, subject_id, staff_id, day, grade_id, stage order by day, grade_id, subject_id
      returning id, academic_year_id, subject_id, owner_id, title)
    insert into homework_section (homework_id, academic_year_id, branch_id, program_id, grade_id, section_id, subject_id,
      assigned_on, due_on, state, publish_at, given_by, news, digest_on, closed_at)
    select distinct on (content.id, wanted.id) content.id, wanted.academic_year_id, wanted.branch_id, wanted.program_id,
      wanted.grade_id, wanted.id, wanted.subject_id, wanted.day, due.day,
      case when due.day < ${today}::date - 3 then 'Closed' else 'Published' end,
      (wanted.day + time '14:30') at time zone 'Asia/Kolkata', wanted.staff_id, 'New',
      case when wanted.day < ${today}::date then wanted.day end,
      case when due.day < ${today}::date - 3 then (due.day + time '16:00') at time zone 'Asia/Kolkata' end
    from wanted
    cross join lateral (select case when wanted.chance % 3 = 0 then wanted.second_day else wanted.next_day end as day) as due
    join content on content.academic_year_id = wanted.academic_year_id and content.subject_id = wanted.subject_id
      and content.owner_id = wanted.staff_id and content.title like '%, ' || to_char(wanted.day, 'FMDD Mon')
    order by content.id, wanted.id`.execute(db);

/** Links, skills, chosen children, more time, and reasons for more than the limit. */
async function addDetails(db: Context['db'], today: string) {
  await sql`insert into homework_link (homework_id, position, address)
    select id, 1, 'https://diksha.gov.in/' from homework where id % 9 = 0 order by id`.execute(db);
  await sql`insert into homework_skill (homework_id, skill_id)
    select content.id, skill.id from homework content
    cross join lateral (select grade.stage from homework_section given join academic_grade grade on grade.id = given.grade_id
      where given.homework_id = content.id limit 1) as own
    cross join lateral (select min(id) as id from configuration_skill where own.stage = any(stages) and is_active) as skill
    where content.id % 7 = 0 and skill.id is not null`.execute(db);
  await sql`
    with picked as (
      update homework_section set is_for_all = false
      where id in (select id from homework_section order by md5(id::text) limit 12) returning id)
    insert into homework_chosen (homework_section_id, student_id)
    select picked.id, roster.student_id from picked cross join lateral homework_roster(array[picked.id]) roster
    where roster.standing = 'Given' and roster.student_id % 5 < 2`.execute(db);
  await sql`
    insert into homework_extension (homework_section_id, student_id, due_on, reason, staff_id, given_at)
    select given.id, roster.student_id, given.due_on + 2, 'Was ill.', given.given_by, given.publish_at + interval '1 day'
    from (select * from homework_section where publish_at is not null and due_on < ${today}::date
      order by md5('more ' || id) limit 25) as given
    cross join lateral (select student_id from homework_roster(array[given.id]) where standing = 'Given'
      order by md5(student_id::text) limit 1) as roster`.execute(db);
  await sql`insert into homework_digest (day, guardian_id)
    select distinct given.digest_on, link.guardian_id
    from homework_section given
    join student_section place on place.section_id = given.section_id and place.effective_to is null
    join student_guardian link on link.student_id = place.student_id and link.receives_messages
    where given.digest_on between ${today}::date - 7 and ${today}::date
    order by 1, 2`.execute(db);
  await sql`insert into homework_reminder (homework_section_id, guardian_id, day)
    select given.id, link.guardian_id, given.due_on
    from (select * from homework_section where due_on < ${today}::date and publish_at is not null
      order by md5('reminder ' || id) limit 5) as given
    cross join lateral (select min(student_id) as id from homework_roster(array[given.id]) where standing = 'Given') as child
    join student_guardian link on link.student_id = child.id and link.receives_messages
    order by 1, 2`.execute(db);
  await sql`update homework_section set over_reason = 'Unit test on the next day.'
    where id in (select id from homework_section order by md5('over ' || id) limit 6)`.execute(db);
}

/** The results of closed homework: of 100 children 82 submitted on time and 7 late. */
const checkHomework = (db: Context['db'], today: string, seedNumber: number) =>
  sql`
    with listed as materialized (
      select given.id, given.academic_year_id, given.assigned_on, given.due_on, given.given_by, content.max_marks,
        roster.student_id,
        ${chance(sql`given.id || ' ' || roster.student_id`, seedNumber)} as chance
      from homework_roster(array(select id from homework_section where state = 'Closed')) roster
      join homework_section given on given.id = roster.homework_section_id
      join homework content on content.id = given.homework_id
      where roster.standing = 'Given' and given.due_on < ${today}::date),
    marked as (
      select *, case when chance < 890 then 'Submitted' when chance < 950 then 'Not done' when chance < 980 then 'Incomplete'
        else 'Excused' end as result from listed)
    insert into homework_result (homework_section_id, student_id, academic_year_id, result, handed_in_on, marks, feedback,
      checked_by, checked_at)
    select id, student_id, academic_year_id, result,
      case when result = 'Submitted' and chance >= 820 then least(due_on + 1 + chance % 2, ${today}::date)
        when result in ('Submitted', 'Incomplete') then due_on end,
      case when result in ('Submitted', 'Incomplete') and max_marks is not null then 5 + chance % 11 * 0.5 end,
      case when chance % 40 = 0 then 'Neat work.' else '' end, given_by, (due_on + time '15:00') at time zone 'Asia/Kolkata'
    from marked order by id, student_id`.execute(db);

/** Three items that are scheduled for tomorrow, and three drafts. */
const prepareHomework = (db: Context['db'], today: string) =>
  sql`
    with latest as (
      select given.*, content.owner_id, row_number() over (order by given.assigned_on desc, given.id) as number
      from homework_section given join homework content on content.id = given.homework_id
      where given.state = 'Published' and given.is_for_all and given.due_on > ${today}::date),
    content as (
      insert into homework (academic_year_id, subject_id, owner_id, title, kind, minutes)
      select academic_year_id, subject_id, owner_id, case when number > 3 then 'Draft: questions of unit ' else 'Worksheet of unit ' end || number,
        'Written', 20 from latest where number <= 6 order by number returning id, title)
    insert into homework_section (homework_id, academic_year_id, branch_id, program_id, grade_id, section_id, subject_id,
      assigned_on, due_on, state, publish_at, given_by, news)
    select content.id, latest.academic_year_id, branch_id, program_id, grade_id, section_id, subject_id,
      case when number > 3 then ${today}::date else ${today}::date + 1 end, due_on, case when number > 3 then 'Draft' else 'Published' end,
      case when number <= 3 then (${today}::date + 1 + time '08:00') at time zone 'Asia/Kolkata' end,
      case when number <= 3 then latest.owner_id end, case when number <= 3 then 'New' end
    from latest join content on content.title like '%unit ' || latest.number
    where number > 3 or due_on > ${today}::date + 1
    on conflict do nothing`.execute(db);
