import { sql } from 'kysely';
import { transportKeepers, transportReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { TodoSource } from '#kit/server/dashboard.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { paperList, soonDays } from '../contract/papers.ts';
import { isOn } from './route.ts';

/** The vehicle of a person, or the driver of a vehicle, on the trips of a day. */
const partnerOn = (day: string) => sql<string>`coalesce((
  select string_agg(distinct case when own.crew_id is null then driver.name else used.fleet_no end, ', ')
  from transport_duty duty
  join transport_vehicle used on used.id = duty.vehicle_id
  join transport_crew drives on drives.id = duty.driver_id
  join staff driver on driver.id = drives.staff_id
  where (duty.vehicle_id = own.vehicle_id or own.crew_id in (duty.driver_id, duty.attendant_id))
    and ${isOn(day, sql`duty.effective_from`, sql`duty.effective_to`)}), '')`;

/** The branch of the vehicle, or of the person’s post of the day, else of the latest one. */
const branchOn = (day: string) => sql`coalesce(own.branch_id, (
  select post.branch_id from staff_post post where post.staff_id = crew.staff_id
  order by ${isOn(day, sql`post.effective_from`, sql`post.effective_to`)} desc, post.effective_from desc limit 1))`;

/** The papers of vehicles, and of people whose employment, where one is entered, includes the day. */
const listedPapers = ({ db, user, now }: UserContext, access: typeof transportReaders | typeof transportKeepers) =>
  db
    .selectFrom('transport_paper as own')
    .leftJoin('transport_vehicle as vehicle', 'vehicle.id', 'own.vehicle_id')
    .leftJoin('transport_crew as crew', 'crew.id', 'own.crew_id')
    .leftJoin('staff', 'staff.id', 'crew.staff_id')
    .where(inScope(user, access, { branch: branchOn(toLocalDate(now())) }))
    .where(
      sql<boolean>`coalesce((select bool_or(${isOn(toLocalDate(now()), sql`job.joined_on`, sql`job.last_day`)})
        from staff_employment job where job.staff_id = crew.staff_id), true)`,
    )
    .select([
      sql<number>`own.id`.as('id'),
      sql<string>`coalesce(vehicle.fleet_no, staff.name)`.as('name'),
      sql<'Vehicle' | 'Driver' | 'Attendant'>`own.owner`.as('owner'),
      sql<string>`own.paper`.as('paper'),
      sql<string>`own.number`.as('number'),
      sql<string>`coalesce(own.expires_on::text, '')`.as('expiresOn'),
      partnerOn(toLocalDate(now())).as('partner'),
    ]);
type ListedPaper = Awaited<ReturnType<ReturnType<typeof listedPapers>['executeTakeFirstOrThrow']>>;

const hasExpired = (today: string) => sql<boolean>`coalesce(own.expires_on, '-infinity') < ${today}::date`;
const expiresSoon = (today: string) =>
  sql<boolean>`own.expires_on between ${today}::date and ${addDays(today, soonDays)}::date`;
/** Papers that are missing come before the others. */
const byDay = sql`coalesce(own.expires_on, '0001-01-01')`;

export const { routes: paperListRoutes, figures: paperFigures } = serveList(paperList, (ctx) => {
  const today = toLocalDate(ctx.now());
  return {
    query: listedPapers(ctx, transportReaders),
    id: 'own.id',
    isPeople: true,
    matches: (word) =>
      sql<boolean>`concat_ws(' ', vehicle.fleet_no, staff.name, own.paper, own.number) ilike ${contains(word)}`,
    tabs: { expired: hasExpired(today), soon: expiresSoon(today), all: undefined },
    filters: { owner: (word) => sql<boolean>`own.owner = ${word}` },
    sorts: {
      name: { by: sql`lower(coalesce(vehicle.fleet_no, staff.name))`, as: 'text' },
      expiresOn: { by: byDay, as: 'date' },
    },
    toRows: async (rows: ListedPaper[]) => rows,
  };
});

/** Papers that have expired, are missing, or expire within a week: after that their vehicle or driver gets no new trip. */
export const paperTodo: TodoSource = {
  kind: 'paper',
  title: text`Papers of vehicles and drivers`,
  icon: 'bus',
  roles: ['Staff'],
  sets: ['transportIncharge'],
  find: async (ctx, most) => {
    const today = toLocalDate(ctx.now());
    const due = listedPapers(ctx, transportKeepers).where(
      sql<boolean>`coalesce(own.expires_on, '-infinity') <= ${addDays(today, 7)}::date`,
    );
    const rows = await due.orderBy(byDay).orderBy('own.id').limit(most).execute();
    const counted = await due.clearSelect().select(sql<number>`count(*)::integer`.as('total')).executeTakeFirst();
    return {
      total: counted?.total ?? 0,
      to: rows.some(({ expiresOn }) => expiresOn < today) ? 'transport/paper' : 'transport/paper?tab=soon',
      rows: rows.map(({ id, name, paper, expiresOn, partner }) => ({
        id,
        when: expiresOn < today ? 'late' : expiresOn === today ? 'today' : 'soon',
        title: name,
        about: partner,
        detail:
          expiresOn === ''
            ? text`${{ paper }} is missing.`
            : expiresOn < today
              ? text`${{ paper }} expired on ${{ day: showDate(expiresOn) }}.`
              : text`${{ paper }} expires on ${{ day: showDate(expiresOn) }}.`,
        to: `transport/paper?${expiresOn < today ? '' : 'tab=soon&'}search=${encodeURIComponent(name)}`,
        act: text`Check`,
      })),
    };
  },
};
