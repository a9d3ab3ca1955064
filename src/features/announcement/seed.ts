import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { demoTeacherEmail } from '#database/seed/demo-people.ts';
import type { SeedPlan } from '#database/seed/plan.ts';
import { type Block, plainText } from '#kit/contract/rich-text.ts';
import type { Context } from '#kit/server/context.ts';
import { addDays } from '#kit/server/day.ts';
import type { asks } from './contract/asks.ts';

type Asks = (typeof asks)[number];

interface Theme {
  category: string;
  title: string;
  lines: readonly string[];
  to: 'guardians' | 'staff' | 'both';
  asks?: boolean;
}

const themes: readonly Theme[] = [
  {
    category: 'Event',
    title: 'Annual sports day',
    lines: [
      'Children come in house T-shirts and sports shoes.',
      'Parents are welcome from 8:30.',
      'Bring a water bottle and a cap.',
    ],
    to: 'both',
    asks: true,
  },
  {
    category: 'Exam',
    title: 'Timetable of the unit tests',
    lines: [
      'The unit tests begin on Monday.',
      'Children bring their own stationery.',
      'There is no bus change in these days.',
    ],
    to: 'guardians',
  },
  {
    category: 'Holiday',
    title: 'School is closed for the festival',
    lines: ['School and office are closed on both days.', 'Classes begin again at the usual time.'],
    to: 'both',
  },
  {
    category: 'Fee',
    title: 'Fees of the second term',
    lines: [
      'The second instalment is due on the 15th.',
      'Pay at the counter, by cheque or online.',
      'Call the office with questions.',
    ],
    to: 'guardians',
  },
  {
    category: 'General',
    title: 'Meeting of parents and teachers',
    lines: ['Teachers are in the classrooms from 9:00 to 12:00.', 'Please come with your child.', 'Bring the diary.'],
    to: 'guardians',
    asks: true,
  },
  {
    category: 'Transport',
    title: 'Buses start ten minutes earlier',
    lines: ['The road at Vesu is being repaired.', 'Please be at the stop ten minutes earlier until Friday.'],
    to: 'guardians',
  },
  {
    category: 'General',
    title: 'Minutes of the staff meeting',
    lines: [
      'Registers are submitted before 8:30.',
      'Duty of the assembly changes each week.',
      'Lesson plans are due on Saturday.',
    ],
    to: 'staff',
  },
  {
    category: 'General',
    title: 'Health camp in the school hall',
    lines: ['Eyes, teeth and height are checked.', 'Tell the class teacher if your child should not take part.'],
    to: 'guardians',
  },
  {
    category: 'Exam',
    title: 'Papers are due at the examination office',
    lines: ['Hand the question papers to the examination office by Thursday.', 'Use the format of last term.'],
    to: 'staff',
    asks: true,
  },
  {
    category: 'Event',
    title: 'Science exhibition',
    lines: ['Each house shows six models.', 'The exhibition is open to families after 10:00.'],
    to: 'guardians',
  },
];

const run = (text: string) => [{ text }];

const bodyOf = ({ title, lines }: Pick<Theme, 'title' | 'lines'>): Block[] => [
  { kind: 'paragraph', level: 0, runs: run(lines[0] ?? title) },
  ...lines.slice(1).map((line): Block => ({ kind: 'bullet', level: 0, runs: run(line) })),
];

/** Three of the latest ask for an answer: a visit, a camp, and what is eaten on the way. */
const questions: Readonly<Record<number, { title: string; lines: readonly string[]; asks: Asks }>> = {
  50: {
    title: 'May your child come to the Science Centre?',
    lines: ['The bus leaves at 8:30 and is back at 14:00.', 'The visit costs nothing.'],
    asks: 'Consent',
  },
  53: {
    title: 'Lunch on the day of the visit',
    lines: ['Choose what your child eats.', 'Water is in the bus.'],
    asks: 'Choice',
  },
  48: {
    title: 'May the school doctor see your child?',
    lines: ['Eyes, teeth and height are checked in the school hall.'],
    asks: 'Consent',
  },
};

const days = 170;
const notices = 60;

interface Planned {
  place: number;
  category: string;
  title: string;
  body: Block[];
  search: string;
  to: Theme['to'];
  day: string;
  time: string;
  state: 'Ready' | 'Waiting' | 'Withdrawn';
  priority: string;
  isPinned: boolean;
  asks: Asks;
  byTeacher: boolean;
  share: number;
}

function plan({ today, random }: SeedPlan): Planned[] {
  const draw = random('announcement');
  return Array.from({ length: notices }, (_, index): Planned => {
    const theme = themes[index % themes.length] as Theme;
    const place = index + 1;
    const isScheduled = place > notices - 3;
    const isWaiting = !isScheduled && place > notices - 5;
    const back = Math.max(1, Math.round(((notices - 5 - place) * days) / notices));
    const month = Math.floor(index / themes.length) + 1;
    const question = questions[place];
    const title = question
      ? question.title
      : place === 31
        ? 'School closes at noon because of heavy rain'
        : `${theme.title} (${month})`;
    const body =
      place === 31
        ? bodyOf({ ...theme, lines: ['Please collect your children from 12:00.', 'Buses leave at 12:15.'] })
        : bodyOf({ ...theme, ...question });
    return {
      place,
      category: place === 31 ? 'Emergency' : theme.category,
      title,
      body,
      search: `${title}\n${plainText(body)}`,
      to: question ? 'guardians' : theme.to,
      day: isScheduled ? addDays(today, 2 + notices - place) : addDays(today, -back),
      time: `0${8 + (index % 2)}:${15 + (index % 40)}`,
      state: isWaiting ? 'Waiting' : place === 20 ? 'Withdrawn' : 'Ready',
      priority: place === 31 ? 'Emergency' : index % 7 === 3 ? 'Important' : 'Normal',
      isPinned: place === notices - 6,
      asks: question?.asks ?? (theme.asks ? 'Acknowledgement' : 'Nothing'),
      byTeacher: isWaiting,
      share: place === notices - 5 ? 63 : 55 + draw.upTo(35),
    };
  });
}

/** The announcements of a term, with their readers. */
export async function seed({ db }: Context, _app: FastifyInstance, given: SeedPlan) {
  const planned = JSON.stringify(plan(given));
  const { today } = given;
  await db.transaction().execute(async (db) => {
    await sql`create temporary table demo_notice on commit drop as
      select each.*, (each.day || ' ' || each.time)::timestamp at time zone 'Asia/Kolkata' as publish_at, null::integer as id
      from jsonb_to_recordset(${planned}::jsonb) as each (place integer, category text, title text, body jsonb, search text,
        "to" text, day text, time text, state text, priority text, "isPinned" boolean, asks text, "byTeacher" boolean, share integer)`.execute(
      db,
    );
    await sql`insert into announcement (category_id, priority, author_id, state, publish_at, expires_at, is_pinned,
        asks, options, acknowledge_by, sends_email, released_at, withdrawn_reason, current_version, counts_from)
      select (select id from academic_lookup where kind = 'Notice category' and name = demo.category), demo.priority,
        coalesce((select id from staff where "byTeacher" and email = ${demoTeacherEmail}), (select min(staff_id) from sign_in_account where 'office' = any(sets)), (select min(id) from staff)),
        demo.state, publish_at,
        case when demo.place % 3 = 0 and publish_at < school_now() then publish_at + interval '40 days' end,
        demo."isPinned", demo.asks, case when demo.asks = 'Choice' then array['Vegetarian lunch', 'Jain lunch', 'Own tiffin'] else '{}' end,
        case when demo.asks in ('Consent', 'Choice') then ${today}::date + 5 when demo.asks <> 'Nothing' then (publish_at + interval '7 days')::date end, demo."to" <> 'staff',
        case when demo.state <> 'Waiting' and demo.day < ${today} then publish_at end,
        case when demo.state = 'Withdrawn' then 'The date was wrong.' else '' end,
        case when demo.place in (12, 44) then 2 else 1 end, case when demo.place = 44 then 2 else 1 end
      from demo_notice demo order by demo.place`.execute(db);
    await sql`update demo_notice demo set id = own.id from (
        select id, row_number() over (order by id) as place from announcement) own where own.place = demo.place`.execute(
      db,
    );
    await sql`insert into announcement_version (announcement_id, number, title, body, search_text, staff_id, written_at, is_reading_reset)
      select notice.id, number, demo.title || case when notice.current_version > number then ' (first text)' else '' end, demo.body,
        demo.search, notice.author_id, demo.publish_at - interval '1 hour' + (number - 1) * interval '5 hours', number = 2 and notice.counts_from = 2
      from demo_notice demo join announcement notice on notice.id = demo.id
      cross join generate_series(1, notice.current_version) as number`.execute(db);
    // Every third notice of families is for the whole school, the others are for a grade or a section.
    await sql`insert into announcement_audience (announcement_id, kind, also_teachers, grade_id, section_id)
      select demo.id, target.kind, target.kind in ('Grade', 'Section'),
        case when target.kind = 'Grade' then (select id from academic_grade order by position, id offset demo.place % (select greatest(count(*), 1) from academic_grade) limit 1) end,
        case when target.kind = 'Section' then coalesce(
          (select own.section_id from academic_section_teacher own join staff on staff.id = own.staff_id and demo."byTeacher"
            join academic_year year on year.id = own.academic_year_id and year.id = academic_year_on(${today}::date)
            where staff.email = ${demoTeacherEmail} and own.role = 'Class teacher' limit 1),
          (select section.id from academic_section section join academic_year year on year.id = section.academic_year_id
            where year.id = academic_year_on(${today}::date) order by section.id offset demo.place % least(20, (select greatest(count(*), 1)
              from academic_section section join academic_year year on year.id = section.academic_year_id
              where year.id = academic_year_on(${today}::date))) limit 1)) end
      from demo_notice demo
      cross join lateral (
        select unnest(case when demo."byTeacher" then array['Section']
          when demo."to" = 'staff' then array['All staff']
          when demo."to" = 'both' then array['Everyone']
          when demo.place % 3 = 0 then array['All guardians']
          when demo.place % 3 = 1 then array['Grade'] else array['Section'] end) as kind) target
      order by demo.place`.execute(db);
    const released = sql`select notice.* from announcement notice where notice.released_at is not null`;
    const { rows: notices } = await sql<{ id: number }>`select id from (${released}) as notice order by id`.execute(db);
    // One notice at a time: all of a large school take longer than a statement may. With statistics in between: without
    // them every pair is compared with every recipient.
    await sql`create temporary table demo_pair (announcement_id integer, guardian_id integer, student_id integer) on commit drop`.execute(
      db,
    );
    for (const { id } of notices)
      await sql`insert into demo_pair select ${id}::integer, pair.* from announcement_pairs(${id}, ${today}::date) as pair`.execute(
        db,
      );
    await sql`analyze demo_pair`.execute(db);
    for (const { id } of notices)
      await sql`insert into announcement_recipient (announcement_id, guardian_id)
        select distinct announcement_id, guardian_id from demo_pair where announcement_id = ${id}`.execute(db);
    await sql`select take_statistics('announcement_recipient'::regclass)`.execute(db);
    for (const { id } of notices)
      await sql`insert into announcement_recipient_child (recipient_id, student_id)
        select recipient.id, pair.student_id from demo_pair pair
        join announcement_recipient recipient using (announcement_id, guardian_id) where announcement_id = ${id}`.execute(
        db,
      );
    await sql`insert into announcement_recipient (announcement_id, staff_id)
      select notice.id, own.staff_id from (${released}) as notice
      cross join lateral announcement_staff(notice.id, ${today}::date) as own`.execute(db);
    await sql`insert into announcement_round (announcement_id, number, kind, version, started_by, started_at)
      select id, 1, 'Publish', 1, author_id, released_at from (${released}) as notice`.execute(db);
    await sql`insert into announcement_delivery (announcement_id, round, guardian_id, channel)
      select notice.id, 1, recipient.guardian_id, case when guardian.email <> '' then 'email' else 'sms' end from (${released}) as notice
      join announcement_recipient recipient on recipient.announcement_id = notice.id
      join guardian on guardian.id = recipient.guardian_id
      where notice.sends_email and notice.publish_at > school_now() - interval '30 days'`.execute(db);
    for (const { id } of notices)
      await sql`insert into announcement_receipt (announcement_id, version, kind, guardian_id, staff_id, at, via)
        select demo.id, notice.current_version, kind, recipient.guardian_id, recipient.staff_id,
          least(school_now(), notice.publish_at + make_interval(mins => 5 + recipient.id % 4000)),
          case when recipient.staff_id is null then 'Family page' else 'Feed' end
        from demo_notice demo join announcement notice on notice.id = demo.id
        join announcement_recipient recipient on recipient.announcement_id = demo.id
        cross join unnest(case when demo.asks = 'Acknowledgement' then array['Seen', 'Acknowledged'] else array['Seen'] end) as kind
        where demo.id = ${id}
          and (recipient.id * 37 + demo.place * 11) % 100 < demo.share - case when kind = 'Acknowledged' then 6 else 0 end`.execute(
        db,
      );
    // Guardians answer for two children of three, some of them differ, and a few come on paper.
    for (const { id } of notices)
      await sql`insert into announcement_answer (announcement_id, version, student_id, guardian_id, staff_id, answer, note, at)
        select notice.id, notice.current_version, child.student_id, case when not on_paper then recipient.guardian_id end,
          case when on_paper then notice.author_id end,
          (case when notice.asks = 'Consent' then array['Yes', 'Yes', 'Yes', 'No'] else notice.options end)[
            1 + (child.student_id + case when child.student_id % 29 = 0 then recipient.id else 0 end)
              % case when notice.asks = 'Consent' then 4 else cardinality(notice.options) end],
          case when on_paper then 'Slip' else '' end, least(school_now(), notice.publish_at + make_interval(mins => 20 + recipient.id % 900))
        from announcement notice
        join announcement_recipient recipient on recipient.announcement_id = notice.id and recipient.guardian_id is not null
        join announcement_recipient_child child on child.recipient_id = recipient.id
        cross join lateral (select child.student_id % 31 = 0 as on_paper) as paper
        where notice.id = ${id} and notice.asks in ('Consent', 'Choice') and child.student_id % 3 <> 0
        order by recipient.id`.execute(db);
    // Two of a class teacher wait for the office.
    await sql`insert into approval (kind, announcement_id, title, requested_by, requested_at)
      select 'announcement.publish', notice.id,
        jsonb_build_object('id', 'Announcement: {title}', 'message', 'Announcement: {title}', 'values', jsonb_build_object('title', own.title)),
        notice.author_id, school_now() - interval '3 hours'
      from announcement notice join announcement_version own on own.announcement_id = notice.id and own.number = 1
      where notice.state = 'Waiting' order by notice.id`.execute(db);
    await sql`select take_statistics('announcement_receipt'::regclass)`.execute(db);
  });
}
