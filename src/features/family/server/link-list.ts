import { sql } from 'kysely';
import { english, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { linkList } from '../contract/link.ts';
import { isReached, isReachedAmongAll, stateOf } from './guardians.ts';

const linked = ({ db }: UserContext) =>
  db.selectFrom('guardian').leftJoin('family_link as link', 'link.guardian_id', 'guardian.id');

const listed = (ctx: UserContext, today: string) =>
  linked(ctx)
    .where(isReached(ctx.user, today))
    .select(['guardian.id', 'guardian.name', 'link.sent_at', 'link.expires_at', 'link.opened_last_at'])
    .select([
      stateOf(ctx.now()).as('state'),
      sql<{ id: number; name: string }[]>`(select json_agg(json_build_object('id', student.id, 'name',
          concat_ws(', ', student.name, academic_section_name(grade.name, section.name))) order by student.birth_date, student.id)
        from family_children(guardian.id, ${today}) own join student on student.id = own.student_id
        join academic_grade grade on grade.id = own.grade_id
        left join academic_section section on section.id = own.section_id)`.as('children'),
      sql<string[]>`array(select coalesce(nullif(trouble.reason, '') || ', ', '')
          || case trouble.channel when 'sms' then guardian.mobile else guardian.email end
        from message_trouble trouble where trouble.guardian_id = guardian.id and trouble.since is not null
        order by trouble.channel)`.as('troubles'),
      sql<boolean>`guardian.mobile = '' and guardian.email = ''`.as('hasNoContact'),
      sql<number>`(select coalesce(sum(times), 0)::integer from family_opening opening
        where opening.guardian_id = guardian.id and opening.day > ${addDays(today, -30)})`.as('openings'),
    ]);
type Listed = Awaited<ReturnType<ReturnType<typeof listed>['executeTakeFirstOrThrow']>>;

const dayOf = (moment: Date | null) => (moment ? toLocalDate(moment) : '');

export const { routes: linkListRoutes, selected: guardiansSelected } = serveList(linkList, (ctx) => {
  const today = toLocalDate(ctx.now());
  const ends = sql`(link.revoked_at is not null or link.expires_at <= ${ctx.now()})`;
  return {
    query: listed(ctx, today),
    all: linked(ctx).where(isReachedAmongAll(ctx.user, today)),
    id: 'guardian.id',
    isPeople: true,
    isCountedAtOnce: true,
    matches: (word) => sql<boolean>`(guardian.name ilike ${contains(word)} or exists (
      select from family_children(guardian.id, ${today}) own join student on student.id = own.student_id
      where student.name ilike ${contains(word)}))`,
    tabs: {
      all: undefined,
      missing: sql<boolean>`link.guardian_id is null`,
      unopened: sql<boolean>`(link.opened_last_at is null and link.guardian_id is not null and not ${ends})`,
      unreached: sql<boolean>`(guardian.mobile = '' and guardian.email = '' or exists (select from message_trouble trouble
        where trouble.guardian_id = guardian.id and trouble.since is not null))`,
      ended: sql<boolean>`(link.guardian_id is not null and ${ends})`,
    },
    filters: {
      gradeId: (id) =>
        sql<boolean>`exists (select from family_children(guardian.id, ${today}) own where own.grade_id = ${Number(id)})`,
    },
    sorts: { name: { by: sql`lower(guardian.name)`, as: 'text' } },
    toRows: async (rows: Listed[]) =>
      rows.map(({ id, name, state, children, openings, troubles, hasNoContact, ...link }) => ({
        id,
        name,
        state,
        openings,
        trouble: hasNoContact ? english(text`No mobile number or email address`) : troubles.join('; '),
        studentId: children?.[0]?.id ?? 0,
        children: (children ?? []).map((child) => child.name).join('; '),
        sentOn: dayOf(link.sent_at),
        until: dayOf(link.expires_at),
        openedOn: dayOf(link.opened_last_at),
      })),
  };
});
