import { type RawBuilder, sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { offeredTags } from '#features/tag/api.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { beginsFirst, containsName, wordsOf } from '#kit/server/search.ts';
import type { announcementApi } from '../contract/announcement.ts';
import { choiceOf } from '../contract/audience.ts';
import { type AudienceKind, keepers, wholeKinds } from '../contract/words.ts';
import { isKeeper } from './scope.ts';

interface Found {
  kind: AudienceKind;
  id: number | null;
  name: string;
  /** What tells it from another of its name. */
  detail?: string | null;
}

/** Fewer letters name too many people. */
const leastLetters = 2;

const all = (conditions: readonly RawBuilder<unknown>[]) => sql<boolean>`(${sql.join(conditions, sql` and `)})`;

/** What the typed words name: first groups, then people. A class teacher finds the sections led today and their students. */
export const choices: Handler<typeof announcementApi.options> = async (ctx, { search, limit }) => {
  const most = Math.min(limit, 20);
  const words = wordsOf(search);
  const found = isKeeper(ctx) ? await ofSchool(ctx, words, most) : await ofSections(ctx, words, most);
  return found.slice(0, most).map(({ kind, id, name, detail }) => ({
    id: choiceOf(kind, id),
    name: name ? `${kind}: ${name}` : kind,
    isActive: true,
    ...(detail && { detail }),
  }));
};

/** The name of a section as it is spoken and as it is typed in one word: "7b" is in "Grade7B". */
const typedSection = sql`name || ' ' || translate(name, ' -', '')`;

/** Whether a label has every word. */
const has = (label: RawBuilder<unknown>, words: readonly string[]) =>
  all([sql`true`, ...words.map((word) => sql`${label} ilike ${contains(word)}`)]);

const isNamed = (table: string, words: readonly string[]) => all(words.map((word) => containsName(table, word)));

const sections = (ctx: UserContext) => sql`(
  select section.id, academic_section_name(grade.name, section.name) as name, grade.position, section.branch_id,
    case when (select count(*) from academic_branch) > 1
      then (select name from academic_branch where id = section.branch_id) end as branch
  from academic_section section
  join academic_grade grade on grade.id = section.grade_id
  join academic_year year on year.id = section.academic_year_id
    and ${toLocalDate(ctx.now())}::date between year.starts_on and year.ends_on
  where section.is_active)`;

async function ofSchool(ctx: UserContext, words: readonly string[], most: number): Promise<Found[]> {
  const { db, user, now } = ctx;
  const plain = words.join(' ').toLowerCase();
  const whole = wholeKinds.filter((kind) => words.every((word) => kind.toLowerCase().includes(word.toLowerCase())));
  const { rows: groups } = await sql<Found>`
    select kind, id, name, detail from (
      select 1 as place, 'Grade' as kind, id, name, position as rank, null as detail from academic_grade where is_active
      union all select 2, 'Section', id, name, position, branch from ${sections(ctx)} as section
        where ${inScope(user, keepers, { branch: sql`section.branch_id` })}
      union all select 3, 'House', id, name, 0, null from academic_house where is_active
      union all select 4, 'Department', id, name, 0, null from academic_department where is_active
      union all select 5, 'Designation', id, name, 0, null from academic_designation where is_active
      union all select 6, 'Staff category', id, name, 0, null from hris_staff_category where is_active
      union all select 7, 'Student category', id, name, 0, null from academic_lookup where kind = 'Student category' and is_active
    ) as one where ${has(sql`kind || ': ' || case when kind = 'Section' then ${typedSection} else name end`, words)}
    order by lower(name) <> ${plain}, place, rank, lower(name), id limit ${most}`.execute(db);
  const tags = words.length > 0 ? await offeredTags(ctx, 'Student', words.join(' ')) : [];
  const found = [
    ...whole.map((kind): Found => ({ kind, id: null, name: '' })),
    ...groups,
    ...tags.map(({ id, name }): Found => ({ kind: 'Tag', id, name })),
  ];
  if (found.length >= most || words.join('').length < leastLetters) return found;
  const here = sql`student_on(${toLocalDate(now())}::date) here join student on student.id = here.student_id`;
  const typed = words.join(' ');
  const { rows: people } = await sql<Found>`
    (select 'Staff member' as kind, staff.id, staff.name, staff.employee_number as detail from staff where ${isNamed('staff', words)}
      and exists (select from staff_employment spell where spell.staff_id = staff.id
        and ${toLocalDate(now())}::date between spell.joined_on and coalesce(spell.last_day, 'infinity'))
      order by ${beginsFirst(sql`staff.name`, typed)}, lower(staff.name), staff.id limit ${most})
    union all
    (select 'Student', student.id, student.name || coalesce(' (' || academic_section_name(grade.name, section.name) || ')', ''),
        'GR ' || student.gr_no
      from ${here}
      join academic_grade grade on grade.id = here.grade_id
      left join academic_section section on section.id = here.section_id
      where ${isNamed('student', words)} and ${inScope(user, keepers, { branch: sql`here.branch_id` })}
      order by ${beginsFirst(sql`student.name`, typed)}, student.sort_name, student.id limit ${most})
    union all
    (select 'Guardian', adult.id, adult.name || ' (' || string_agg(child.first_name, ', ' order by child.first_name) || ')',
        'GR ' || string_agg(child.gr_no, ', ' order by child.first_name)
      from (select guardian.id, guardian.name from guardian where ${isNamed('guardian', words)} and not is_deceased) adult
      join student_household household on household.guardian_id = adult.id
      join student_on(${toLocalDate(now())}::date) here on here.student_id = household.student_id
        and ${inScope(user, keepers, { branch: sql`here.branch_id` })}
      join student child on child.id = here.student_id
      group by adult.id, adult.name order by ${beginsFirst(sql`adult.name`, typed)}, lower(adult.name), adult.id limit ${most})`.execute(
    db,
  );
  return [...found, ...people];
}

async function ofSections(ctx: UserContext, words: readonly string[], most: number): Promise<Found[]> {
  const { db, user, now } = ctx;
  const typed = words.join(' ');
  const { rows } = await sql<Found>`
    (select 'Section' as kind, id, name, branch as detail from ${sections(ctx)} as section
      where id = any(${user.scope.led}::integer[]) and ${has(sql`'Section: ' || ${typedSection}`, words)} order by position, name)
    union all
    (select 'Student', student.id, student.name, 'GR ' || student.gr_no from student_on(${toLocalDate(now())}::date) here
      join student on student.id = here.student_id
      where here.section_id = any(${user.scope.led}::integer[]) and ${words.length > 0 ? isNamed('student', words) : sql`false`}
      order by ${beginsFirst(sql`student.name`, typed)}, student.sort_name, student.id limit ${most})`.execute(db);
  return rows;
}
