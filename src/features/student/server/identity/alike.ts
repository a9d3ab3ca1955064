import { sql } from 'kysely';
import { studentKeepers } from '#access/contract/grants.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { placeSql } from '../enrolment/place.ts';
import { hasLeft, isSeen } from '../visible.ts';

/** A child as a form or a file names it. What is not known yet is empty. */
export interface NamedChild {
  firstName: string;
  lastName: string;
  gender: string;
  /** A real day, or ''. */
  birthDate: string;
  grNo: string;
  branchId: number | null;
  /** Of the child's adults. */
  mobiles: readonly string[];
  /** A child who is a student: neither itself nor those are found of whom a person has said that they are other children. */
  studentId?: number;
}

export interface Alike {
  id: number;
  /** The child may be this student: a person answers before the child is added. Without it the student is only shown. */
  isAsked: boolean;
}

/**
 * For each child, in their order, the students who may be the same, those who left too. It decides nothing: a likely double
 * is a question. Every door compares by this rule alone (`names_fit`, `gr_key`).
 */
export async function alikeStudents({ db }: Pick<Context, 'db'>, children: readonly NamedChild[]): Promise<Alike[][]> {
  const { rows } = await sql<Alike & { place: number }>`
    with asked as materialized (
      select ordinality::integer as place, name_words("firstName") as first_words, name_words("lastName") as last_words,
        gender, nullif("birthDate", '')::date as birth_date, gr_key("grNo") as gr, "branchId" as branch_id, mobiles,
        "studentId" as student_id
      from rows from (jsonb_to_recordset(${JSON.stringify(children)}::jsonb)
        as ("firstName" text, "lastName" text, gender text, "birthDate" text, "grNo" text, "branchId" integer, mobiles text[],
        "studentId" integer))
        with ordinality
    ), found as (
      select place, student.id from asked join student on student.birth_date = asked.birth_date
      union
      select place, student.id from asked join student on student.first_words[1] = asked.first_words[1]
        and student.birth_date between asked.birth_date - interval '20 years' and asked.birth_date + interval '20 years'
        and is_near_day(student.birth_date, asked.birth_date)
      union
      select place, student.id from asked join student on student.branch_id = asked.branch_id
        and gr_key(student.gr_no) = asked.gr and asked.gr <> ''
    ), fitted as materialized (
      select place, student.id, student.first_words[1] = asked.first_words[1] as is_same_first,
        names_fit(student.first_words, student.last_words, asked.first_words, asked.last_words) as fit,
        asked.gender <> '' and student.gender <> asked.gender as is_other_gender,
        student.birth_date = asked.birth_date as is_same_day,
        coalesce(student.branch_id = asked.branch_id and gr_key(student.gr_no) = asked.gr and asked.gr <> '', false)
          as is_same_number,
        asked.mobiles
      from found join asked using (place) join student on student.id = found.id and student.merged_into_id is null
      where student.id is distinct from asked.student_id and not exists (select from student_not_same said
        where said.one_id = least(student.id, asked.student_id) and said.other_id = greatest(student.id, asked.student_id))
    ), compared as (
      select *, exists (select from student_guardian link join guardian adult on adult.id = link.guardian_id
        where link.student_id = fitted.id and adult.mobile <> '' and adult.mobile = any(mobiles)) as shares_adult
      from fitted where fit > 0 or is_same_number
    ), decided as (
      select place, id, case
        when is_same_number then fit >= 1
        when is_same_day and fit = 2 then true
        when is_same_day and is_other_gender then null
        when is_same_day and is_same_first then nullif(shares_adult, false)
        when is_same_day then false
        -- Found by its first word, on a day that is near.
        when fit = 2 then shares_adult
        end as "isAsked"
      from compared
    )
    select place, id, "isAsked" from decided where "isAsked" is not null order by place, "isAsked" desc, id`.execute(
    db,
  );
  const found = children.map((): Alike[] => []);
  for (const { place, id, isAsked } of rows) found[place - 1]?.push({ id, isAsked });
  return found;
}

/** By what rows of one file are compared with each other: the number, and name and birth date; '' for what is not known. */
export async function childKeys({ db }: Pick<Context, 'db'>, children: readonly NamedChild[]) {
  const { rows } = await sql<{ number: string; person: string }>`
    select gr_key("grNo") as number,
      case when "birthDate" = '' or words = '{}' then ''
        else "birthDate" || ' ' || array_to_string(array(select word from unnest(words) as word order by 1), ' ') end as person
    from rows from (jsonb_to_recordset(${JSON.stringify(children)}::jsonb)
        as ("firstName" text, "lastName" text, "birthDate" text, "grNo" text))
      with ordinality,
      lateral (select name_words("firstName") || name_words("lastName") as words) own
    order by ordinality`.execute(db);
  return rows;
}

/** Two acts that add one child wait for each other: the second one finds the child of the first. */
export const lockBirthDays = async ({ db }: Pick<Context, 'db'>, days: readonly string[]) => {
  const sorted = [...new Set(days)].filter(Boolean).sort();
  await sql`select pg_advisory_xact_lock(hashtext('student'), hashtext(day))
    from unnest(${sorted}::text[]) with ordinality as given (day, place) order by place`.execute(db);
};

/** A student as it is offered for a child who may be the same. */
export interface OfferedStudent {
  id: number;
  name: string;
  grNo: string;
  /** The section, or the grade of who has none. */
  place: string;
  birthDate: string;
  /** '' of who has not left. */
  leftOn: string;
  /** Who is called first, with the end of the number; '' if nobody is. */
  adult: string;
  isAsked: boolean;
}

/** Those of the students whom the user may see, and the ids of those of other branches who would be asked about. */
export async function describeAlike({ db, user, now }: UserContext, alike: readonly Alike[]) {
  const day = toLocalDate(now());
  const rows = await db
    .selectFrom('student')
    .leftJoinLateral(placeSql({ day, yearId: null }).as('place'), (join) => join.onTrue())
    .leftJoin('student_guardian as link', (join) =>
      join.onRef('link.student_id', '=', 'student.id').on('link.is_primary', '=', true),
    )
    .leftJoin('guardian', 'guardian.id', 'link.guardian_id')
    .where('student.id', '=', sql<number>`any(${alike.map(({ id }) => id)}::integer[])`)
    .select(['student.id', 'student.name', 'student.gr_no', 'student.birth_date', 'student.left_on'])
    .select(['guardian.name as adult', 'guardian.mobile', 'place.name as place'])
    .select([isSeen(user, studentKeepers).as('is_seen'), hasLeft(day).as('has_left')])
    .orderBy('student.sort_name')
    .orderBy('student.id')
    .execute();
  const asked = new Set(alike.filter(({ isAsked }) => isAsked).map(({ id }) => id));
  const offered = rows
    .filter(({ is_seen }) => is_seen)
    .map(
      ({ id, name, gr_no, birth_date, left_on, has_left, adult, mobile, place }): OfferedStudent => ({
        id,
        name,
        grNo: gr_no,
        place: place ?? '',
        birthDate: birth_date,
        leftOn: has_left ? (left_on ?? '') : '',
        adult: [adult, mobile && `••••••${mobile.slice(-4)}`].filter(Boolean).join(', '),
        isAsked: asked.has(id),
      }),
    );
  return { offered, elsewhere: rows.filter(({ id, is_seen }) => !is_seen && asked.has(id)).map(({ id }) => id) };
}

/** Keeps that a student and others are different children: nobody is asked about them again. */
export const keepNotSame = ({ db, user, now }: UserContext, id: number, others: readonly number[]) =>
  sql`insert into student_not_same (one_id, other_id, said_by, said_at)
    select least(id, ${id}), greatest(id, ${id}), ${user.name}, ${now()}
    from unnest(${others.filter((other) => other !== id)}::integer[]) as id on conflict do nothing`.execute(db);

/** For another feature: the students who may be a child, as the user may see them. */
export async function studentsLike(ctx: UserContext, child: NamedChild): Promise<OfferedStudent[]> {
  const [alike = []] = await alikeStudents(ctx, [child]);
  return (await describeAlike(ctx, alike)).offered;
}

/** As `studentsLike`, for the rows of a file, in their order: those of them about whom is asked. */
export async function studentsAsked(ctx: UserContext, children: readonly NamedChild[]): Promise<OfferedStudent[][]> {
  const alike = await alikeStudents(ctx, children);
  const { offered } = await describeAlike(ctx, alike.flat());
  const byId = new Map(offered.map((student) => [student.id, student]));
  return alike.map((found) => found.flatMap(({ id, isAsked }) => (isAsked ? (byId.get(id) ?? []) : [])));
}
