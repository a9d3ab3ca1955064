import { type fileNames, ticketApi } from '#features/ticket/contract/ticket.ts';
import type { InputOf } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import type { NewPerson, Person } from './browser.ts';
import { form, type School } from './school.ts';

/** A school with business hours Mon-Sat 08:00-16:00, the usual targets, and the category "Repairs" of Maintenance. */
export async function openTickets(school: School) {
  await school.sql(`
    insert into academic_designation (name, level) values ('Technician', 5);
    insert into academic_department (name) values ('Maintenance'), ('Accounts');
    insert into ticket_hours (from_day) values ('2026-01-01');
    insert into ticket_hours_day (hours_id, weekday, opens, closes, half_day_closes)
      select ticket_hours.id, weekday, 480, 960, 720 from ticket_hours, generate_series(1, 6) as weekday;
    insert into ticket_policy (name, is_default) values ('Usual', true);
    insert into ticket_policy_version (policy_id, number, pauses_on_hold, made_at) select id, 1, true, now() from ticket_policy;
    insert into ticket_policy_target (version_id, priority, response_minutes, resolution_minutes)
      select made.id, target.* from ticket_policy_version made, (values ('Urgent', 30, 480), ('High', 240, 960),
        ('Medium', 240, 960), ('Low', 480, 2400)) as target(priority, response, resolution)`);
  const departments = await school.sql(
    `select id from academic_department where name in ('Maintenance', 'Accounts') order by id`,
  );
  const [maintenance = 0, accounts = 0] = departments.map(({ id }) => Number(id));
  const member = async (departmentId: number, values: NewPerson = {}): Promise<Person> => {
    const person = await school.person(values);
    await school.sql(`insert into staff_post (staff_id, effective_from, designation_id, department_id, branch_id)
      select ${person.staffId}, '2020-06-01', designation.id, ${departmentId}, (select min(id) from academic_branch)
      from academic_designation designation where designation.name = 'Technician'`);
    await school.sql(`update staff_employment set joined_on = '2020-06-01' where staff_id = ${person.staffId}`);
    return person;
  };
  const category = async (name: string, values: Record<string, string | number | boolean> = {}): Promise<number> => {
    const all = { department_id: maintenance, priority: 'High', ...values };
    const [made] = await school.sql(`insert into ticket_category (name, ${Object.keys(all).join(', ')})
      values ('${name}', ${Object.values(all)
        .map((value) => (typeof value === 'string' ? `'${value}'` : value))
        .join(', ')}) returning id`);
    return Number(made?.id);
  };
  return { maintenance, accounts, member, category };
}

/** A ticket that a person has raised and has, written without the page; its id. */
export async function plantTicket(school: Pick<School, 'sql'>, staffId: number): Promise<number> {
  const [row] = await school.sql(`
    with department as (insert into academic_department (name) values (gen_random_uuid()) returning id),
    category as (insert into ticket_category (name, department_id, priority)
      select 'Repairs', id, 'High' from department on conflict (coalesce(parent_id, 0), lower(name)) do update set name = excluded.name returning *)
    insert into ticket (ticket_no, subject, description, category_id, department_id, raised_by, assignee_id, priority,
      raised_at, changed_at, clock_from)
    select gen_random_uuid(), 'Broken tap', 'It drips.', category.id, category.department_id, ${staffId}, ${staffId}, 'High',
      now(), now(), now() from category returning id`);
  return Number(row?.id);
}

type Draft = Partial<InputOf<typeof ticketApi.raise>> & { categoryId: number };
type Files = Partial<Record<(typeof fileNames)[number], File>>;

/** Sends an operation with files as the pages do. */
async function sendForm(person: Person, url: string, values: Record<string, unknown>, files: Files) {
  const fields = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value ?? '')]));
  const { status, json } = await person.send({
    method: 'POST',
    url,
    body: form(fields, files as Record<string, File>),
  });
  if (status === 200) return json;
  const { code, text, texts, data } = json.error;
  throw new AppError(code, text, { fields: texts, data });
}

/** Raises a ticket; the number of the record and its official number. */
export const raise = (person: Person, draft: Draft, files: Files = {}): Promise<{ id: number; ticketNo: string }> =>
  sendForm(
    person,
    '/api/ticket',
    { subject: 'Fan makes noise', description: 'In the first row.', onBehalf: 'Self', source: 'App', ...draft },
    files,
  );

export const reply = (
  person: Person,
  id: number,
  body: string,
  kind: 'Public' | 'Internal' = 'Public',
  files: Files = {},
): Promise<{ id: number; version: number }> => sendForm(person, `/api/ticket/${id}/comment`, { kind, body }, files);

/** The record as a person reads it; undefined where it does not exist for them. */
export async function readTicket(person: Person, id: number) {
  try {
    return await person.call(ticketApi.read, { id });
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}
