import { sql } from 'kysely';
import { offeredTags } from '#features/tag/api.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { type AudienceRow, audienceMessages, type ShownRow } from '../contract/audience.ts';
import { type AudienceKind, studentKinds, teacherKinds } from '../contract/words.ts';
import { isKeeper, isLed } from './scope.ts';

/** The column that points to what a row means, and the table that has its name. */
const columns = {
  Department: 'department_id',
  'Staff category': 'staff_category_id',
  Designation: 'designation_id',
  'Staff member': 'staff_id',
  Grade: 'grade_id',
  Section: 'section_id',
  House: 'house_id',
  'Student category': 'student_category_id',
  Tag: 'tag_id',
  Guardian: 'guardian_id',
  Student: 'student_id',
} as const;

/** The name of what a row `target` with `kind` and `id` means; null where it does not exist. */
const nameOf = sql<string | null>`case target.kind
  when 'Department' then (select name from academic_department where id = target.id)
  when 'Staff category' then (select name from hris_staff_category where id = target.id)
  when 'Designation' then (select name from academic_designation where id = target.id)
  when 'Staff member' then (select name from staff where id = target.id)
  when 'Grade' then (select name from academic_grade where id = target.id)
  when 'Section' then (select academic_section_name(grade.name, section.name) from academic_section section
    join academic_grade grade on grade.id = section.grade_id where section.id = target.id)
  when 'House' then (select name from academic_house where id = target.id)
  when 'Student category' then (select name from academic_lookup where id = target.id and kind = 'Student category')
  when 'Tag' then (select name from configuration_tag where id = target.id)
  when 'Guardian' then (select name from guardian where id = target.id)
  when 'Student' then (select name from student where id = target.id)
  else '' end`;

/** Refuses rows that name nothing, and those that the author may not address. */
export async function requireAudience(ctx: UserContext, rows: readonly AudienceRow[]): Promise<void> {
  const { db } = ctx;
  const { rows: named } = await sql<{ isNamed: boolean; isOwn: boolean }>`
    select ${nameOf} is not null as "isNamed",
      ${isLed(ctx)} as "isOwn"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as target (kind text, id integer)`.execute(db);
  const refused = () => fieldRefusal('audience', audienceMessages.outside);
  if (named.some(({ isNamed }) => !isNamed)) throw refused();
  if (!isKeeper(ctx)) {
    if (rows.some(({ kind }) => !teacherKinds.includes(kind)) || named.some(({ isOwn }) => !isOwn)) throw refused();
    return;
  }
  const tags = rows.filter(({ kind }) => kind === 'Tag').map(({ id }) => id);
  if (tags.length === 0) return;
  const seen = new Set((await offeredTags(ctx, 'Student')).map(({ id }) => id));
  if (tags.some((tag) => !seen.has(tag ?? 0))) throw refused();
}

/** Whether the author may still write to the people of an announcement, who leads other sections by now or none. */
export async function mayStillAddress(ctx: UserContext, announcementId: number): Promise<boolean> {
  const audience = (await readAudiences(ctx, [announcementId])).get(announcementId) ?? [];
  try {
    await requireAudience(ctx, audience);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** Replaces the rows of an announcement. */
export async function saveAudience({ db }: Pick<Context, 'db'>, announcementId: number, rows: readonly AudienceRow[]) {
  await db.deleteFrom('announcement_audience').where('announcement_id', '=', announcementId).execute();
  await db
    .insertInto('announcement_audience')
    .values(
      rows.map(({ kind, id, isExcluded, hasTeachers }) => ({
        announcement_id: announcementId,
        kind,
        is_excluded: isExcluded,
        also_teachers: hasTeachers && !isExcluded && studentKinds.includes(kind),
        ...(kind in columns && { [columns[kind as keyof typeof columns]]: id }),
      })),
    )
    .onConflict((on) => on.doNothing())
    .execute();
}

/** The rows of announcements with the names of what they mean, by the id of the announcement. */
export async function readAudiences(
  { db }: Pick<Context, 'db'>,
  ids: readonly number[],
): Promise<Map<number, ShownRow[]>> {
  const { rows } = await sql<ShownRow & { announcementId: number; kind: AudienceKind }>`
    select target."announcementId", target.kind, target.id, target."isExcluded", target."hasTeachers",
      coalesce(${nameOf}, '') as name
    from (select announcement_id as "announcementId", kind, is_excluded as "isExcluded", also_teachers as "hasTeachers",
        coalesce(department_id, staff_category_id, designation_id, staff_id, grade_id, section_id, house_id,
          student_category_id, tag_id, guardian_id, student_id) as id, id as place
      from announcement_audience where announcement_id = any(${[...ids]}::integer[])) as target
    order by target."isExcluded", target.place`.execute(db);
  const found = new Map<number, ShownRow[]>(ids.map((id) => [id, []]));
  for (const { announcementId, ...row } of rows) found.get(announcementId)?.push(row);
  return found;
}
