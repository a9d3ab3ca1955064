import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { addDays } from '#kit/server/day.ts';
import { readSettings } from '#kit/server/settings.ts';
import {
  type Limit,
  type LoadItem,
  loadOf,
  mondayOf,
  type Over,
  overLimit,
  type Stage,
  spread,
} from '../contract/load.ts';
import { blocksOver, foundationalLimit, middleLimit, preparatoryLimit, secondaryLimit } from './settings.ts';

export interface StoredItem extends LoadItem {
  id: number;
  sectionId: number;
  gradeId: number;
  stage: Stage;
  section: string;
  title: string;
  subject: string;
  teacher: string;
  isForAll: boolean;
  dueOn: string;
}

/** The homework of sections that is published, scheduled or closed and touches these days, with its children. */
export async function readItems(
  { db }: Pick<Context, 'db'>,
  sectionIds: readonly number[],
  { first, last }: { first: string; last: string },
): Promise<StoredItem[]> {
  const { rows } = await sql<StoredItem>`
    with items as materialized (
      select given.id, given.section_id, given.grade_id, given.assigned_on, given.counts_until as due_on, given.is_for_all, given.homework_id,
        given.subject_id
      from homework_section given
      where given.section_id = any(${[...sectionIds]}::integer[]) and given.state in ('Published', 'Closed')
        and given.assigned_on <= ${last}::date
        and (given.counts_until >= ${first}::date or exists (select from homework_extension extension
          where extension.homework_section_id = given.id and extension.counts_until >= ${first}::date))),
    children as (
      select roster.homework_section_id as id, json_agg(json_build_object('studentId', roster.student_id,
        'dueOn', greatest(items.due_on, extension.counts_until))) as children
      from homework_roster(array(select id from items)) roster
      join items on items.id = roster.homework_section_id
      left join homework_extension extension on extension.homework_section_id = items.id
        and extension.student_id = roster.student_id
      where roster.standing in ('Given', 'Joined later') group by 1)
    select items.id, items.section_id as "sectionId", items.grade_id as "gradeId", grade.stage,
      academic_section_name(grade.name, section.name) as section, content.title, subject.name as subject,
      owner.name as teacher, content.kind, content.minutes, items.assigned_on::text as "assignedOn",
      items.due_on::text as "dueOn", items.is_for_all as "isForAll", coalesce(children.children, '[]') as children
    from items
    join homework content on content.id = items.homework_id
    join configuration_subject subject on subject.id = items.subject_id
    join academic_section section on section.id = items.section_id
    join academic_grade grade on grade.id = items.grade_id
    join staff owner on owner.id = content.owner_id
    left join children on children.id = items.id
    order by items.due_on, items.id`.execute(db);
  return rows;
}

/** The school days of grades from one day to another. */
export async function readSchoolDays(
  { db }: Pick<Context, 'db'>,
  gradeIds: readonly number[],
  { first, last }: { first: string; last: string },
): Promise<Map<number, string[]>> {
  const { rows } = await sql<{ gradeId: number; days: string[] }>`
    select days.grade_id as "gradeId", array_agg(days.day::text order by days.day) as days
    from academic_year year cross join lateral academic_school_days(year.id, ${first}::date, ${last}::date) as days
    where year.starts_on <= ${last}::date and year.ends_on >= ${first}::date
      and days.grade_id = any(${[...gradeIds]}::integer[]) and days.work > 0
    group by days.grade_id`.execute(db);
  return new Map(rows.map(({ gradeId, days }) => [gradeId, days]));
}

/** The limit of each stage. */
export async function readLimits(ctx: Pick<Context, 'db'>): Promise<Record<Stage, Limit>> {
  const found = await readSettings(ctx, {
    Foundational: foundationalLimit,
    Preparatory: preparatoryLimit,
    Middle: middleLimit,
    Secondary: secondaryLimit,
  });
  return {
    Foundational: { minutes: found.Foundational, per: 'day' },
    Preparatory: { minutes: found.Preparatory, per: 'week' },
    Middle: { minutes: found.Middle, per: 'day' },
    Secondary: { minutes: found.Secondary, per: 'day' },
  };
}

/** The whole weeks around some days. */
export const weeksAround = (days: readonly string[]) => {
  const sorted = days.toSorted();
  return { first: mondayOf(sorted[0] ?? ''), last: addDays(mondayOf(sorted.at(-1) ?? ''), 6) };
};

/** From the earliest day of these items on, since projects are spread from their beginning. */
export const spanOf = (items: readonly LoadItem[], { first, last }: { first: string; last: string }) => ({
  first:
    items
      .map(({ assignedOn }) => assignedOn)
      .concat(first)
      .toSorted()[0] ?? first,
  last:
    items
      .flatMap(({ children }) => children.map(({ dueOn }) => dueOn))
      .concat(last)
      .toSorted()
      .at(-1) ?? last,
});

/** Those of these published deliveries with which a child passes the limit. Needs `lockLoads` of their sections. */
export async function findOver(ctx: Context, ids: readonly number[]) {
  const own = await ctx.db
    .selectFrom('homework_section')
    .where('id', '=', sql<number>`any(${[...ids]}::integer[])`)
    .where('state', '=', 'Published')
    .select(['section_id', 'assigned_on', 'counts_until'])
    .execute();
  if (own.length === 0) return [];
  const span = weeksAround(own.flatMap(({ assigned_on, counts_until }) => [assigned_on, counts_until]));
  const items = await readItems(
    ctx,
    own.map(({ section_id }) => section_id),
    // More time for a child may move its minutes beyond the due day.
    { first: span.first, last: addDays(span.last, 60) },
  );
  const schoolDays = await readSchoolDays(
    ctx,
    items.map(({ gradeId }) => gradeId),
    spanOf(items, span),
  );
  const limits = await readLimits(ctx);
  return items
    .filter(({ id }) => ids.includes(id))
    .flatMap((item) => {
      const days = schoolDays.get(item.gradeId) ?? [];
      const load = loadOf(
        items.filter(({ sectionId }) => sectionId === item.sectionId),
        days,
      );
      const touched = new Set(item.children.flatMap(({ dueOn }) => [...spread(item, dueOn, days).keys()]));
      const children = item.children.map(({ studentId }) => studentId);
      const [worst] = overLimit(load, children, [...touched], limits[item.stage]);
      return worst ? [{ ...worst, item, limit: limits[item.stage] }] : [];
    });
}

/** How far a section would pass its limit. */
export function overWords({ section, period, minutes, limit }: Over & { section: string; limit: Limit }): Text {
  const facts = { section, day: showDate(period) };
  const amounts = { minutes, most: limit.minutes };
  return limit.per === 'week'
    ? text(
        { message: '{section} would have {minutes} minutes in the week from {day}; the limit is {most}.' },
        { ...facts, ...amounts },
      )
    : text(
        { message: '{section} would have {minutes} minutes on {day}; the limit is {most}.' },
        { ...facts, ...amounts },
      );
}

/** The ids of what `findOver` finds. Throws where that is blocked, or has no reason. */
export async function requireReason(ctx: Context, ids: readonly number[], reason: string): Promise<number[]> {
  const over = await findOver(ctx, ids);
  const isBlocked = (await readSettings(ctx, { blocksOver })).blocksOver;
  const [first] = over;
  if (first && (isBlocked || reason === '')) {
    const says = overWords({ ...first, section: first.item.section });
    if (isBlocked) throw fieldRefusal('minutes', says);
    throw fieldRefusal('overReason', says);
  }
  return over.map(({ item }) => item.id);
}
