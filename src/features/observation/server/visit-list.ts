import { type RawBuilder, sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';
import { toOutput } from '#kit/server/database/row-map.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { showScore } from '../contract/score.ts';
import { type VisitState, type visitApi, type visitKinds, visitList } from '../contract/visit.ts';
import { isOverseen, isShared, visitsSeen } from './visit-visible.ts';

const localDay = (moment: RawBuilder<unknown>) => sql`to_char(${moment} at time zone 'Asia/Kolkata', 'YYYY-MM-DD')`;

/** The visits as a list shows them: score, flag and later days only to readers of the content. */
const listed = (ctx: UserContext) => {
  const isRead = sql`(visit.observer_id = ${ctx.user.staffId} or ${isShared})`;
  return visitsSeen(ctx)
    .leftJoin('academic_section as section', 'section.id', 'visit.section_id')
    .leftJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .select(['visit.id', 'observed.name as teacher'])
    .select([
      sql<string>`(select name from staff where id = visit.observer_id)`.as('observer'),
      sql<(typeof visitKinds)[number]>`visit.kind`.as('kind'),
      sql<VisitState>`visit.state`.as('state'),
      sql<string>`${localDay(sql`visit.scheduled_at`)}`.as('day'),
      sql<string | null>`academic_section_name(grade.name, section.name)`.as('section'),
      sql<boolean>`${isRead}`.as('is_read'),
      sql<number | null>`case when ${isRead} then visit.score end`.as('score'),
      sql<boolean>`${isRead} and visit.is_flagged`.as('is_flagged'),
      sql<string | null>`${localDay(sql`visit.shared_at`)}`.as('shared_on'),
      sql<string | null>`${localDay(sql`visit.acknowledged_at`)}`.as('acknowledged_on'),
      sql<string | null>`case when ${isRead} then visit.next_review_on::text end`.as('next_review_on'),
    ]);
};
type Row = Awaited<ReturnType<ReturnType<typeof listed>['executeTakeFirstOrThrow']>>;

export const { routes: visitListRoutes } = serveList(visitList, (ctx) => ({
  query: listed(ctx),
  id: 'visit.id',
  isPeople: true,
  matches: (word) => sql<boolean>`observed.name ilike ${contains(word)}`,
  tabs: {
    mine: sql<boolean>`visit.observer_id = ${ctx.user.staffId}`,
    shared: sql<boolean>`visit.state = 'Shared'`,
    all: undefined,
  },
  filters: {
    departmentId: (id) => sql<boolean>`post.department_id = ${Number(id)}`,
    observerId: (id) => sql<boolean>`visit.observer_id = ${Number(id)}`,
    kind: (word) => sql<boolean>`visit.kind = ${word}`,
    state: (word) => sql<boolean>`visit.state = ${word}`,
  },
  sorts: { day: { by: sql`visit.scheduled_at`, as: 'moment' } },
  toRows: async (rows: Row[]) =>
    rows.map((row) => toOutput(visitList.row, row, { score: showScore(row.score), mayOpen: row.is_read })),
}));

const newFor = 30;

export const coverage: Handler<typeof visitApi.coverage> = async (ctx) => {
  const { db, user, now } = ctx;
  const today = toLocalDate(now());
  const { rows: terms } = await sql<{ name: string; first: string; last: string }>`
    select coalesce(term.name, year.name) as name, coalesce(term.starts_on, year.starts_on)::text as first,
      coalesce(term.ends_on, year.ends_on)::text as last
    from academic_year year left join academic_term term on term.academic_year_id = year.id
    where year.id = academic_year_on(${today}::date) order by 2`.execute(db);
  const { rows } = await sql<{
    id: number;
    name: string;
    department: string;
    days: string[] | null;
    joined: string | null;
  }>`
    select observed.id, observed.name, coalesce((select name from academic_department where id = post.department_id), '') as department,
      (select array_agg((visit.scheduled_at at time zone 'Asia/Kolkata')::date::text order by visit.scheduled_at)
        from observation_visit visit where visit.observed_id = observed.id and ${isShared}) as days,
      (select max(joined_on)::text from staff_employment where staff_id = observed.id) as joined
    from staff observed
    left join lateral (select branch_id, department_id from staff_post own where own.staff_id = observed.id
      and ${today}::date between own.effective_from and coalesce(own.effective_to, 'infinity') limit 1) post on true
    where ${isOverseen(user)} and observed.id <> ${user.staffId} and exists (select from academic_section_teacher own
      join academic_year year on year.id = own.academic_year_id and year.id = academic_year_on(${today}::date)
      where own.staff_id = observed.id and ${today}::date between own.effective_from and coalesce(own.effective_to, year.ends_on))
    order by lower(observed.name), observed.id`.execute(db);
  const counted = rows.map(({ days, joined, ...person }) => ({
    ...person,
    counts: terms.map(({ first, last }) => (days ?? []).filter((day) => day >= first && day <= last).length),
    lastOn: days?.at(-1) ?? '',
    isNew: joined !== null && joined > addDays(today, -newFor),
  }));
  const current = terms.findIndex(({ first, last }) => today >= first && today <= last);
  const countOf = ({ counts }: (typeof counted)[number]) => counts[Math.max(current, 0)] ?? 0;
  return {
    terms: terms.map(({ name }) => name),
    rows: counted.toSorted((one, other) => countOf(one) - countOf(other)),
  };
};

export const own: Handler<typeof visitApi.own> = async ({ db, user }) => {
  const { rows } = await sql<{
    id: number;
    at: Date;
    observer: string;
    section: string | null;
    state: VisitState;
    score: number | null;
  }>`
    select visit.id, visit.scheduled_at as at, observer.name as observer, academic_section_name(grade.name, section.name) as section,
      visit.state, case when ${isShared} then visit.score end as score
    from observation_visit visit join staff observer on observer.id = visit.observer_id
    left join academic_section section on section.id = visit.section_id
    left join academic_grade grade on grade.id = section.grade_id
    where visit.observed_id = ${user.staffId} and (${isShared} or visit.state = 'Scheduled' and visit.is_announced)
    order by visit.scheduled_at desc limit 100`.execute(db);
  return rows.map(({ at, section, score, ...row }) => ({
    ...row,
    at: at.toISOString(),
    section: section ?? '',
    score: showScore(score),
  }));
};
