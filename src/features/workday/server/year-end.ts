import { sql } from 'kysely';
import { isCounted } from '#features/calendar/api.ts';
import { branchOn } from '#features/staff/api.ts';
import { text } from '#kit/contract/text.ts';
import type { Copied, CopiedYears, RollOver, UserContext, YearEndLine } from '#kit/server/context.ts';

/** Asked leave of the year, which is decided before it is closed. */
const asked: YearEndLine = {
  key: 'workday.asked',
  title: text`Leave of staff that waits for a decision`,
  at: 'blocks',
  fate: text`is granted or rejected`,
  act: text`Open`,
  sets: ['hr', 'principal'],
  count: async ({ db }, year) => {
    const { rows } = await sql<{ open: number; names: string[] }>`
      select count(*)::integer as open, (array_agg(staff.name order by leave.from_day, leave.id))[1:3] as names
      from workday_leave leave join staff on staff.id = leave.staff_id
      where leave.academic_year_id = ${year.id} and leave.state = 'Asked' and ${isCounted(year, branchOn(year.endsOn))}`.execute(
      db,
    );
    const [found] = rows;
    if (!found?.open) return undefined;
    return { open: found.open, names: found.names.map((name) => text`${{ name }}`), to: 'approval/inbox' };
  },
};

/** What is left of leave on the last day beyond what its type carries over. */
const balances: YearEndLine = {
  key: 'workday.balances',
  title: text`Leave of staff that is not carried over`,
  at: 'warns',
  fate: text`ends with the year`,
  act: text`Open`,
  sets: ['hr', 'principal'],
  count: async ({ db }, year) => {
    const { rows } = await sql<{ open: number; names: string[] }>`
      with own as (
        select staff.id, staff.name from staff join staff_employment spell on spell.staff_id = staff.id
          and ${year.endsOn}::date between spell.joined_on and coalesce(spell.last_day, 'infinity')
        where ${isCounted(year, branchOn(year.endsOn))}
          and staff.id in (select staff_id from workday_carry(${year.id}) where halves > carried))
      select count(*)::integer as open, (array_agg(name order by lower(name), id))[1:3] as names from own`.execute(db);
    const [found] = rows;
    if (!found?.open) return undefined;
    return { open: found.open, names: found.names.map((name) => text`${{ name }}`), to: 'hris/hris-master' };
  },
};

/** People whom the next year does not give yet what their leave types carry over. */
const carried: YearEndLine = {
  key: 'workday.carried',
  title: text`Leave of staff is to be carried over`,
  at: 'warns',
  fate: text`is given to the next year by Carry over`,
  act: text`Open`,
  sets: ['hr'],
  count: async ({ db }, year) => {
    const { rows } = await sql<{ open: number; names: string[] }>`
      with next as (select id from academic_year where starts_on > ${year.endsOn}::date order by starts_on limit 1),
      own as (
        select distinct staff.id, staff.name from workday_carry(${year.id}) carry join staff on staff.id = carry.staff_id
        where carry.carried > 0 and ${isCounted(year, branchOn(year.endsOn))}
          and not exists (select from workday_credit credit join next on next.id = credit.academic_year_id
            where credit.staff_id = staff.id and credit.type_id = carry.type_id and credit.kind = 'Carried'
              and credit.halves = carry.carried))
      select count(*)::integer as open, (array_agg(name order by lower(name), id))[1:3] as names from own`.execute(db);
    const [found] = rows;
    if (!found?.open) return undefined;
    return { open: found.open, names: found.names.map((name) => text`${{ name }}`), to: 'hris/hris-master' };
  },
};

export const workdayYearEnd = [asked, carried, balances];

async function copyRules({ db }: UserContext, { fromId, toId }: CopiedYears): Promise<Copied> {
  const { rows } = await sql<Copied>`
    with own as (
      select rule.* from workday_leave_rule rule join workday_leave_type type on type.id = rule.leave_type_id and type.is_active
      where rule.academic_year_id = ${fromId} and rule.is_active),
    made as (
      insert into workday_leave_rule (academic_year_id, leave_type_id, staff_category_id, employment_type_id, halves)
      select ${toId}, leave_type_id, staff_category_id, employment_type_id, halves from own
      on conflict do nothing returning id)
    select (select count(*) from made)::integer as added,
      ((select count(*) from own) - (select count(*) from made))::integer as "alreadyThere"`.execute(db);
  return rows[0] ?? { added: 0, alreadyThere: 0 };
}

export const copiedRules: RollOver = {
  part: 'Leave rules',
  copy: copyRules,
  discard: (yearId) => [
    sql`delete from workday_credit where academic_year_id = ${yearId}`,
    sql`delete from workday_leave_rule where academic_year_id = ${yearId}`,
  ],
};
