import { approvalApi, approvalList } from '#features/approval/contract/approval.ts';
import { staffLeaveApi } from '#features/workday/contract/leave.ts';
import type { Person } from './browser.ts';
import { nextNumber } from './numbers.ts';
import { form, type School } from './school.ts';

/** A year of its own, with Saturdays and Sundays off, in which the school's clock stands. */
export async function openWorkYear(school: School, today: string, from = '2040-06-01', to = '2041-05-31') {
  school.clock.now = new Date(`${today}T10:00:00+05:30`);
  const [year] = await school.sql(`insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
    values ('${from.slice(0, 4)}-${to.slice(2, 4)}', '${from}', '${to}', '${from}') returning id`);
  await school.sql(`insert into academic_calendar (academic_year_id, saturday, sunday)
    values (${year?.id}, '{1,2,3,4,5}', '{1,2,3,4,5}')`);
  return Number(year?.id);
}

interface Type {
  code: string;
  counts?: string;
  halves?: number;
  more?: string;
}

/** A leave type with a rule for everybody in a year; the id of the type. */
export async function openType(
  school: School,
  yearId: number,
  { code, counts = 'Working days', halves, more = '' }: Type,
) {
  const [type] = await school.sql(`insert into workday_leave_type (code, name, counts)
    values ('${code}', 'Type ${code}', '${counts}') returning id`);
  if (more) await school.sql(`update workday_leave_type set ${more} where id = ${type?.id}`);
  if (halves !== undefined)
    await school.sql(`insert into workday_leave_rule (academic_year_id, leave_type_id, halves)
      values (${yearId}, ${type?.id}, ${halves})`);
  return Number(type?.id);
}

interface Work {
  joined?: string;
  reportsTo?: Person;
  category?: string;
  type?: string;
}

/** Gives a person a spell of employment and a post in one branch for all such people. */
export async function employ({ sql }: School, person: Person, { joined = '2039-06-01', reportsTo }: Work = {}) {
  const number = nextNumber();
  await sql(`update staff_employment set joined_on = '${joined}' where staff_id = ${person.staffId}`);
  await sql(`with branch as (insert into academic_branch (name, code) select 'Work', 'WRK'
        where not exists (select from academic_branch where code = 'WRK') returning id),
      designation as (insert into academic_designation (name) values ('Post ${number}') returning id),
      department as (insert into academic_department (name) values ('Work ${number}') returning id)
    insert into staff_post (staff_id, effective_from, branch_id, designation_id, department_id, reports_to_id)
    select ${person.staffId}, '${joined}', coalesce((select id from branch), (select id from academic_branch where code = 'WRK')),
      designation.id, department.id, ${reportsTo?.staffId ?? null} from designation, department`);
}

export interface Wanted {
  typeId: number;
  from: string;
  to?: string;
  begins?: string;
  ends?: string;
}

export const spanOf = ({ typeId, from, to = from, begins = 'In the morning', ends = 'In the evening' }: Wanted) => ({
  typeId,
  fromDay: from,
  toDay: to,
  begins,
  ends,
});

/** Asks for leave as the page does. */
export const askLeave = (person: Person, wanted: Wanted) =>
  person.send({
    method: 'POST',
    url: '/api/workday/leave',
    body: form({ ...spanOf(wanted), typeId: String(wanted.typeId), reason: '' }, {}),
  });

/** What the person's asked and granted leave costs, the earliest first. */
export async function costsOf({ sql }: Pick<School, 'sql'>, { staffId }: Person) {
  const rows =
    await sql(`select (select coalesce(sum(cost), 0) from workday_leave_half where leave_id = leave.id)::integer as cost
    from workday_leave leave where staff_id = ${staffId} and state in ('Asked', 'Granted') order by from_day, id`);
  return rows.map(({ cost }) => Number(cost) / 2);
}

export const leftOf = async (person: Person, code: string) =>
  (await person.call(staffLeaveApi.own, {})).balances.find((balance) => balance.code === code)?.left;

/** The requests that wait for a person. */
export const waitingFor = async (person: Person) =>
  (await person.call(approvalList.api.list, { tab: 'forMe' })).rows.map(({ id }) => id);

/** The person decides on the latest request that waits. */
export async function decideLatest(
  { sql }: Pick<School, 'sql'>,
  person: Person,
  outcome: 'Approved' | 'Rejected' = 'Approved',
) {
  const [request] = await sql(`select max(id) as id from approval where status = 'Pending'`);
  const id = Number(request?.id);
  const { version, seen } = await person.call(approvalApi.read, { id });
  const remark = outcome === 'Rejected' ? 'Exams are on these days.' : '';
  return person.send({ method: 'POST', url: `/api/approval/${id}/decide`, body: { version, seen, outcome, remark } });
}
