import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { nextWorkingDay } from '#features/calendar/api.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { settingValue } from '#kit/server/settings.ts';
import type {
  RegisterChild,
  RegisterCode,
  RegisterSection,
  RegisterSheet,
  registerApi,
  Slot,
} from '../contract/register.ts';
import { mayCorrect } from './correction.ts';
import { codeAfterExit } from './exit-mark.ts';
import { neverJoined } from './not-seen.ts';
import { type RegisterRights, registerRights } from './rights.ts';
import { lockHour } from './settings.ts';
import { halfAt, lastDue } from './slot.ts';

type Reading = Pick<UserContext, 'db'>;

/** The register of a section on a day for its page. */
export const readSheet: Handler<typeof registerApi.read> = async (ctx, { sectionId, slot, ...asked }) => {
  const today = toLocalDate(ctx.now());
  const day = asked.day || today;
  const rights = await registerRights(ctx, day, today);
  const due = lastDue(ctx.now(), day, today);
  const [sections, codes] = [await listSections(ctx, day, due, rights), await listCodes(ctx, rights.isGranted)];
  const first = sections.find(({ isOwn }) => isOwn) ?? sections.find(({ takenAt }) => !takenAt) ?? sections[0];
  const chosen = sectionId ?? first?.id ?? null;
  // An earlier day begins in the morning.
  const half = slot === '' && day === today ? halfAt(ctx.now()) : 1;
  const place = chosen === null ? undefined : await findPlace(ctx, { sectionId: chosen, day, slot, half }, rights);
  // An address with a section that this user does not see is refused, unless the day has no sections at all.
  if (sectionId !== null && !place && sections.length > 0) throw new AppError('not_found', notFoundMessage);
  const register = place?.register ?? null;
  const isLocked = register?.isLocked;
  const children = place ? await listChildren(ctx, place, day) : [];
  const isOpen = place ? place.mayTake && place.work > 0 && !place.isClosed : false;
  const mayTake = isOpen && day <= today && !isLocked;
  return {
    today,
    day,
    school: place ? { kind: place.kind, name: place.kindName, work: place.work / 2 } : null,
    sections,
    section: place ? { id: place.id, name: place.name } : null,
    slot: place?.slot ?? 'Full day',
    slots: place?.slots ?? [],
    register,
    // A register that was not taken before its lock is left to the office.
    mayTake: mayTake && (register !== null || rights.isGranted || !place?.isPastLock),
    mayUndo: mayTake && register?.version === 1,
    mayLock: mayTake && register !== null && rights.isGranted,
    mayCorrect: Boolean(place && isLocked && (await mayCorrect(ctx, place.id, day))),
    codes,
    dayBefore: place?.dayBefore ?? '',
    dayAfter: place?.work === 0 ? ((await nextWorkingDay(ctx, addDays(day, 1), place.gradeId)) ?? '') : '',
    children,
    deviceKey: createHmac('sha256', ctx.keys.code.current.key).update(`device register ${ctx.user.id}`).digest('hex'),
  };
};

/** The sections whose register of a day the user takes, their own first. */
async function listSections(
  { db }: Reading,
  day: string,
  due: number,
  { takes, isOwn, isLed }: RegisterRights,
): Promise<RegisterSection[]> {
  const { rows } = await sql<Omit<RegisterSection, 'takenAt'> & { takenAt: Date | null }>`
    select section.id, academic_section_name(grade.name, section.name) as name, ${isOwn} as "isOwn", own.slot, own.taken_at as "takenAt"
    from academic_year year
    join academic_section section on section.academic_year_id = year.id and section.is_active
    join academic_grade grade on grade.id = section.grade_id
    join academic_school_days(year.id, ${day}, ${day}) as today on today.grade_id = section.grade_id
    cross join lateral (
      select slots.slot, register.taken_at from attendance_slots(section.id, ${day}, today.work) as slots
      left join attendance_register register on register.section_id = section.id and register.day = ${day}
        and register.half = slots.half
      where slots.half <= ${due} order by register.taken_at is not null, slots.half limit 1) as own
    where ${day}::date between year.starts_on and year.ends_on and ${takes}
    order by "isOwn" desc, ${isLed} desc, grade.position, lower(section.name), section.id limit 200`.execute(db);
  return rows.map((row) => ({ ...row, takenAt: row.takenAt?.toISOString() ?? null }));
}

async function listCodes({ db }: Reading, isGranted: boolean): Promise<RegisterCode[]> {
  const { rows } = await sql<RegisterCode>`
    select id, code, key, name, kind, needs_time as "needsTime",
      is_active and (teacher_may_use or ${isGranted}::boolean) as "isOffered"
    from attendance_code order by position`.execute(db);
  return rows;
}

interface SectionOnDay {
  id: number;
  name: string;
  yearId: number;
  gradeId: number;
  isClosed: boolean;
  kind: string;
  kindName: string;
  /** In half days. */
  work: number;
  dayBefore: string;
  mayTake: boolean;
  slot: Slot;
  slots: RegisterSheet['slots'];
  /** The register of this day would be locked by now. */
  isPastLock: boolean;
  /** Every code, with what a submission must obey. */
  codes: PlaceCode[] | null;
  register: {
    id: number;
    version: number;
    takenAt: string;
    takenBy: string;
    locksAt: string;
    isLocked: boolean;
  } | null;
}

export interface PlaceCode {
  id: number;
  name: string;
  kind: RegisterCode['kind'];
  isActive: boolean;
  teacherMayUse: boolean;
  needsTime: boolean;
}

interface Sought {
  sectionId: number;
  day: string;
  slot: Slot | '';
  /** Where the section has no such slot on this day: the half that opens. */
  half?: number;
}

/**
 * A section on a day with its register; undefined for a section that the user does not see. With `locks` its year is kept
 * from being closed until the transaction ends. Locks are by the clock of the database, whose triggers obey them.
 */
export async function findPlace(
  { db }: Reading,
  { sectionId, day, slot, half = 1 }: Sought,
  { reads, takes }: RegisterRights,
  locks = false,
): Promise<SectionOnDay | undefined> {
  const { rows } = await sql<Omit<SectionOnDay, 'register'> & Record<'registerId' | 'version', number | null> & Times>`
    select section.id, academic_section_name(grade.name, section.name) as name, year.id as "yearId", section.grade_id as "gradeId",
      year.status = 'Closed' as "isClosed", today.kind, today.name as "kindName", today.work,
      coalesce((select max(days.day)::text from academic_school_days(year.id, ${addDays(day, -21)}, ${addDays(day, -1)}) as days
        where days.grade_id = section.grade_id and days.work > 0), '') as "dayBefore",
      ${takes} and section.is_active as "mayTake", chosen.slot, (
        select json_agg(json_build_object('slot', slots.slot, 'isTaken', taken.id is not null) order by slots.half)
        from attendance_slots(section.id, ${day}, today.work) as slots
        left join attendance_register taken on taken.section_id = section.id and taken.day = ${day} and taken.half = slots.half
      ) as slots,
      attendance_locks_at(year.id, section.grade_id, ${day}, ${settingValue(lockHour)}) <= school_now() as "isPastLock",
      register.id as "registerId", register.version, register.taken_at as "takenAt", register.locks_at as "locksAt",
      coalesce(register.locks_at <= school_now(), false) as "isLocked",
      (select json_agg(json_build_object('id', id, 'name', name, 'kind', kind, 'isActive', is_active,
        'teacherMayUse', teacher_may_use, 'needsTime', needs_time)) from attendance_code) as codes,
      coalesce(staff.name, '') as "takenBy"
    from academic_section section
    join academic_year year on year.id = section.academic_year_id
    join academic_grade grade on grade.id = section.grade_id
    join academic_school_days(year.id, ${day}, ${day}) as today on today.grade_id = section.grade_id
    cross join lateral (
      select slots.* from attendance_slots(section.id, ${day}, today.work) as slots
      order by slots.slot = ${slot} desc, slots.half = ${half} desc, slots.half limit 1) as chosen
    left join attendance_register register on register.section_id = section.id and register.day = ${day}
      and register.half = chosen.half
    left join staff on staff.id = register.taken_by
    where section.id = ${sectionId} and ${reads} ${locks ? sql`for share of year` : sql``}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { registerId, version, takenAt, locksAt, takenBy, isLocked, ...place } = row;
  return {
    ...place,
    register:
      registerId !== null && version !== null && takenAt && locksAt
        ? {
            id: registerId,
            version,
            takenAt: takenAt.toISOString(),
            takenBy,
            locksAt: locksAt.toISOString(),
            isLocked,
          }
        : null,
  };
}

interface Times {
  takenAt: Date | null;
  locksAt: Date | null;
  takenBy: string;
  isLocked: boolean;
}

interface Marked extends Omit<RegisterChild, 'mark'> {
  codeId: number | null;
  arrivedAt: string;
  isHere: boolean;
  /** The family was or will be told of an absence on this day. */
  isTold: boolean;
}

/**
 * The children with a mark in the register and those of the section on that day, by roll number; children who were placed
 * after the register was taken come last.
 */
export async function listChildren(ctx: Reading, { id, yearId, dayBefore, register, slot }: SectionOnDay, day: string) {
  const here = register?.id ?? 0;
  const isAfternoon = slot === 'Afternoon';
  const { rows } = await sql<Marked>`
    with placed as materialized (
      select there.student_id, there.roll_no from student_on(${day}) as there where there.section_id = ${id}),
    listed as (
      select student_id from placed union select student_id from attendance_mark where register_id = ${here})
    select student.id as "studentId", student.name, placed.roll_no as "rollNo", coalesce(mark.register_id = ${here}, false) as "isHere",
      mark.code_id as "codeId", coalesce(to_char(mark.arrived_at, 'HH24:MI'), '') as "arrivedAt",
      coalesce(case when mark.register_id <> ${here} then academic_section_name(grade.name, section.name) end, '') as "takenIn",
      coalesce(case when mark.register_id <> ${here} then code.code end, '') as "takenCode",
      coalesce((select own.code from attendance_mark past join attendance_code own on own.id = past.code_id
        where past.academic_year_id = ${yearId} and past.student_id = student.id
          and past.day = nullif(${isAfternoon ? day : dayBefore}, '')::date and (past.half = 1 or not ${isAfternoon})
        order by past.half desc limit 1), '') as before,
      -- A child on leave until noon is expected.
      (select away.id from attendance_mark past join attendance_code away on away.id = past.code_id
        where ${isAfternoon} and past.academic_year_id = ${yearId} and past.student_id = student.id and past.day = ${day}
          and past.half = 1 and (away.kind in ('Absent', 'Leave') and not exists (
            select from attendance_leave leave where leave.student_id = student.id
              and (leave.state = 'Granted' or leave.state = 'Asked' and leave.asked_by_guardian_id is not null)
              and leave.half = 'First half' and leave.from_day = ${day}))) as "awayCodeId",
      (select count(distinct past.day)::integer from attendance_mark past join attendance_code own on own.id = past.code_id
        where past.academic_year_id = ${yearId} and past.student_id = student.id and own.kind = 'Absent'
          and past.day between ${addDays(day, -60)} and ${addDays(day, -1)} and not exists (
            select from attendance_mark later join attendance_code other on other.id = later.code_id
            where later.academic_year_id = ${yearId} and later.student_id = student.id and other.kind not in ('Absent', 'Leave')
              and later.day between past.day and ${addDays(day, -1)})) as "absentFor",
      coalesce(to_char(gate.arrived_at, 'HH24:MI'), '') as "gateAt",
      coalesce(to_char(gone.left_at, 'HH24:MI'), '') as "leftAt", gone."leftCodeId",
      exists (select from attendance_message told
        where told.student_id = student.id and told.day = ${day} and told.kind = 'Absent') as "isTold",
      coalesce((select wanted.name from attendance_correction correction join attendance_code wanted on wanted.id = correction.new_code_id
        where correction.register_id = ${here} and correction.student_id = student.id and correction.outcome is null), '')
        as asked,
      placed.student_id is null and student.id in (${neverJoined(yearId)}) as "isNeverJoined",
      (select json_build_object('state', leave.state, 'isByFamily', leave.asked_by_guardian_id is not null, 'codeId',
          case when leave.state = 'Granted' then attendance_leave_code(leave.kind, leave.half, ${slot})
            -- The family says that the child does not come; only the decision excuses it.
            when leave.asked_by_guardian_id is not null and (leave.half = 'Whole day' or ${slot} <> 'Full day')
            then (select id from attendance_code where kind = 'Absent' and is_active order by position limit 1) end)
        from attendance_leave leave where leave.student_id = student.id and leave.state in ('Asked', 'Granted')
          and ${day}::date between leave.from_day and leave.to_day and attendance_covers(leave.half, ${slot})) as leave
    from listed
    join student on student.id = listed.student_id
    left join placed on placed.student_id = listed.student_id
    -- A mark of the whole day elsewhere stands for both halves.
    left join lateral (
      select own.*, taken.section_id from attendance_mark own join attendance_register taken on taken.id = own.register_id
      where own.academic_year_id = ${yearId} and own.student_id = student.id and own.day = ${day}
        and (own.half = ${isAfternoon ? 2 : 1} or 'Full day' in (taken.slot, ${slot}))
      order by own.register_id = ${here} desc, own.half limit 1) as mark on true
    left join attendance_code code on code.id = mark.code_id
    left join academic_section section on section.id = mark.section_id
    left join academic_grade grade on grade.id = section.grade_id
    left join attendance_gate gate on gate.student_id = student.id and gate.day = ${day}
      and (${slot} = 'Full day' or (gate.arrived_at >= '12:00') = ${isAfternoon})
    left join lateral (
      select exit.left_at, ${codeAfterExit(slot)} as "leftCodeId" from attendance_exit exit
      where exit.student_id = student.id and exit.day = ${day} and exit.returned_at is null) as gone on true
    order by student.sort_name, student.id`.execute(ctx.db);
  const last = 10_000;
  return rows
    .map(({ codeId, arrivedAt, isHere, ...row }) => ({
      ...row,
      mark: isHere && codeId !== null ? { codeId, arrivedAt } : null,
    }))
    .toSorted((child, other) => placeOf(child) - placeOf(other));

  function placeOf({ rollNo, mark, takenIn }: Pick<RegisterChild, 'rollNo' | 'mark' | 'takenIn'>) {
    const isLate = register !== null && mark === null && takenIn === '';
    return (rollNo ?? last) + (isLate ? last : 0);
  }
}
