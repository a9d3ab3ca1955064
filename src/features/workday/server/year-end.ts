import { sql } from 'kysely';
import { isCounted } from '#features/calendar/api.ts';
import { branchOn } from '#features/staff/api.ts';
import { text } from '#kit/contract/text.ts';
import type { Copied, CopiedYears, EndingYear, RollOver, UserContext, YearEndLine } from '#kit/server/context.ts';

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

interface Left {
  name: string;
  /** Something of a type ends with the year. */
  lapses: boolean;
  /** The next year does not give yet what a type carries over. */
  waits: boolean;
}

/** The people of the user's branches who have leave left on the last day: a costly sum, which both lines read. */
async function computeLeft({ db }: UserContext, year: EndingYear): Promise<Left[]> {
  const { rows } = await sql<Left>`
    with own as materialized (
      select staff.id, staff.name from staff join staff_employment spell on spell.staff_id = staff.id
        and ${year.endsOn}::date between spell.joined_on and coalesce(spell.last_day, 'infinity')
      where ${isCounted(year, branchOn(year.endsOn))}),
    -- Once for each person and type: within the join each balance was added up again for every person.
    carry as materialized (select * from workday_carry(${year.id}, array(select id from own))),
    next as (select id from academic_year where starts_on > ${year.endsOn}::date order by starts_on limit 1)
    select own.name, bool_or(carry.halves > carry.carried) as lapses, bool_or(carry.carried > 0 and not exists (
      select from workday_credit credit join next on next.id = credit.academic_year_id
      where credit.staff_id = own.id and credit.type_id = carry.type_id and credit.kind = 'Carried'
        and credit.halves = carry.carried)) as waits
    from carry join own on own.id = carry.staff_id
    group by own.id, own.name order by lower(own.name), own.id`.execute(db);
  return rows;
}

const leftOf = new WeakMap<EndingYear, Promise<Left[]>>();

/** As `computeLeft`, once for the lines of a year that are read together. */
function readLeft(ctx: UserContext, year: EndingYear): Promise<Left[]> {
  const left = leftOf.get(year) ?? computeLeft(ctx, year);
  leftOf.set(year, left);
  return left;
}

const lineOf = (people: readonly Left[]) =>
  people.length === 0
    ? undefined
    : { open: people.length, names: people.slice(0, 3).map(({ name }) => text`${{ name }}`), to: 'hris/hris-master' };

/** What is left of leave on the last day beyond what its type carries over. */
const balances: YearEndLine = {
  key: 'workday.balances',
  title: text`Leave of staff that is not carried over`,
  at: 'warns',
  fate: text`ends with the year`,
  act: text`Open`,
  sets: ['hr', 'principal'],
  count: async (ctx, year) => lineOf((await readLeft(ctx, year)).filter(({ lapses }) => lapses)),
};

/** People whom the next year does not give yet what their leave types carry over. */
const carried: YearEndLine = {
  key: 'workday.carried',
  title: text`Leave of staff is to be carried over`,
  at: 'warns',
  fate: text`is given to the next year by Carry over`,
  act: text`Open`,
  sets: ['hr'],
  count: async (ctx, year) => lineOf((await readLeft(ctx, year)).filter(({ waits }) => waits)),
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
