import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { EventSource, ServedCard } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { educationCard, papersCard, postCard, reportReaders } from '../contract/cards.ts';
import { openDocuments } from './due-document.ts';
import { readPosts, readSpells } from './employment.ts';

const mostRows = 10;
const dayOf = (day: string) => verbatim(day && showDate(day));

/** What the person works as, since when, and the posts before. */
const posts: ServedCard = {
  card: postCard,
  read: async (ctx, id) => {
    const [held, [spell]] = [await readPosts(ctx, id), await readSpells(ctx, id)];
    const [latest] = held;
    return {
      asOf: '',
      facts: [
        ...(latest
          ? [
              { label: text`Designation`, value: verbatim(latest.designation) },
              { label: text`Department`, value: verbatim(latest.department) },
              { label: text`Branch`, value: verbatim(latest.branch) },
              { label: text`Reports to`, value: verbatim(latest.reportsTo?.name ?? '–') },
            ]
          : []),
        ...(spell ? [{ label: text`Joining date`, value: dayOf(spell.joinedOn) }] : []),
        ...(spell?.lastDay ? [{ label: text`Last day`, value: dayOf(spell.lastDay) }] : []),
      ],
      table:
        held.length < 2
          ? null
          : {
              heads: [text`From`, text`Until`, text`Designation`, text`Department`],
              rows: held
                .slice(0, mostRows)
                .map(({ from, until, designation, department }) => [
                  dayOf(from),
                  dayOf(until),
                  verbatim(designation),
                  verbatim(department),
                ]),
            },
      to: `/school-erp/staff/view-staff/${id}?part=employment`,
      empty: text`No post yet.`,
    };
  },
};

const education: ServedCard = {
  card: educationCard,
  read: async ({ db }, id) => {
    const { rows } = await sql<{ qualification: string; institute: string; year: string }>`
      select qualification.name as qualification, own.institute, coalesce(own.year::text, '') as year
      from staff_qualification own join hris_qualification qualification on qualification.id = own.qualification_id
      where own.staff_id = ${id} order by own.year desc nulls last, own.id desc limit ${mostRows}`.execute(db);
    return {
      asOf: '',
      facts: [],
      table:
        rows.length === 0
          ? null
          : {
              heads: [text`Qualification`, text`Institute`, text`Year`],
              rows: rows.map(({ qualification, institute, year }) => [qualification, institute, year].map(verbatim)),
            },
      to: `/school-erp/staff/view-staff/${id}?part=documents`,
      empty: text`No qualifications are recorded.`,
    };
  },
};

/** What of a person's documents needs to be seen to. */
const papers: ServedCard = {
  card: papersCard,
  read: async ({ db, now }, id) => {
    const { rows } = await sql<{ state: string; count: number }>`
      select state, count(*)::integer as count from ${openDocuments(toLocalDate(now()))} as open
      where staff_id = ${id} group by state`.execute(db);
    const count = (state: string) => rows.find((row) => row.state === state)?.count ?? 0;
    const facts = [
      { label: text`Missing`, value: count('Missing') },
      { label: text`Expired`, value: count('Expired') },
      { label: text`Expiring`, value: count('Expiring') },
      { label: text`Waiting for HR`, value: count('Waiting') },
    ];
    return {
      asOf: '',
      facts: facts
        .filter(({ value }) => value > 0)
        .map(({ label, value }) => ({ label, value: verbatim(String(value)) })),
      table: null,
      to: `/school-erp/staff/view-staff/${id}?part=documents`,
      empty: text`All documents are in order.`,
    };
  },
};

/** Joining and leaving, in even and odd ids of the spell. */
const spells: EventSource = {
  record: 'staff',
  kind: 'employment',
  title: text`Employment`,
  access: reportReaders,
  isOwn: true,
  find: async ({ db }, id, { from, to, most, isAfter }) => {
    const { rows } = await sql<{ day: string; id: number; hasLeft: boolean }>`
      select day::text, id, "hasLeft" from (
        select joined_on as day, id * 2 as id, false as "hasLeft" from staff_employment where staff_id = ${id}
        union all
        select last_day, id * 2 + 1, true from staff_employment where staff_id = ${id} and last_day is not null) as event
      where day between ${from}::date and ${to}::date and ${isAfter(sql`day`, sql`id`)}
      order by event.day desc, id desc limit ${most}`.execute(db);
    return rows.map(({ hasLeft, ...row }) => ({
      ...row,
      what: hasLeft ? text`Last day of work` : text`Joined the school`,
    }));
  },
};

const newPosts: EventSource = {
  record: 'staff',
  kind: 'post',
  title: text`Post`,
  access: reportReaders,
  isOwn: true,
  find: async ({ db }, id, { from, to, most, isAfter }) => {
    const { rows } = await sql<{ day: string; id: number; designation: string; department: string }>`
      select post.effective_from::text as day, post.id, designation.name as designation, department.name as department
      from staff_post post join academic_designation designation on designation.id = post.designation_id
      join academic_department department on department.id = post.department_id
      where post.staff_id = ${id} and post.effective_from between ${from}::date and ${to}::date
        and ${isAfter(sql`post.effective_from`, sql`post.id`)}
      order by post.effective_from desc, post.id desc limit ${most}`.execute(db);
    return rows.map(({ designation, department, ...row }) => ({
      ...row,
      what: text`Began as ${{ designation }}`,
      detail: department,
    }));
  },
};

export const staffReportCards = [posts, education, papers];
export const staffEvents = [spells, newPosts];
