import { english } from '#kit/contract/text.ts';
import { checkFiles } from '#kit/server/files/file-check.ts';
import { isIntact, verifyAudit } from '#kit/server/security/audit-seal.ts';
import { ask, sectionsOn } from './acting.ts';
import type { Broken } from './invariants.ts';
import type { Journal } from './live.ts';
import type { YearSchool } from './school.ts';

/** How many rows a page of a list has. */
const pageRows = 25;
/** How many children are asked about one by one. */
const drawn = 10;

/** The percentage of ten children, of which the screens say another than the sum of their marks. */
export async function wrongPercents({ school, people, years }: YearSchool, day: string): Promise<Broken[]> {
  const { office } = people;
  const year = day < years.next.startsOn ? years.old : years.next;
  const rows = await school.sql(`select here.student_id as id, here.section_id as "sectionId", first_name as name,
      sum(worth)::integer as worth, sum(share)::integer as share
    from student_on('${day}') here join student on student.id = here.student_id
    join attendance_counted counted on counted.student_id = here.student_id
      and counted.day between '${year.startsOn}' and '${day}'
    where here.section_id is not null group by here.student_id, here.section_id, first_name order by md5(here.student_id::text) limit ${drawn}`);
  const get = async (url: string) => (await ask(office, { url: `/api${url}` })).json;
  const ofCard = (card: { facts: { value: never }[] }) => {
    const [fact] = card.facts;
    return fact ? Math.round(Number(english(fact.value).split(' ')[0]) * 10) : undefined;
  };
  const wrong: Broken[] = [];
  for (const { id, sectionId, name, worth, share } of rows) {
    const expected =
      Number(share) > 0 ? Math.floor((2000 * Number(worth) + Number(share)) / (2 * Number(share))) : null;
    const month = await get(`/attendance/month?sectionId=${sectionId}&month=${day.slice(0, 7)}`);
    const finder = await get(`/report/student?tab=all&search=${name}`);
    const said = {
      record: ofCard(await get(`/student/${id}/card/attendance`)),
      report: ofCard(await get(`/report/student/${id}/card/attendance`)),
      finder: finder.rows.find((one: { id: number }) => one.id === id)?.attendance / 10,
      month: month.children.find((one: { studentId: number }) => one.studentId === id)?.yearPerMille,
    };
    const others = Object.entries(said).filter(([, value]) => value !== expected);
    if (others.length > 0)
      wrong.push({
        student: Number(id),
        words: `${JSON.stringify(Object.fromEntries(others))}, and not ${expected} ‰`,
      });
  }
  return wrong;
}

/** The class teachers who read other children than those of their section. */
export async function wrongRights(world: YearSchool, day: string): Promise<Broken[]> {
  const wrong: Broken[] = [];
  for (const { id, teacher } of sectionsOn(world, day)) {
    const own = await world.school.sql(`select student_id as id from student_on('${day}') where section_id = ${id}`);
    const expected = new Set(own.map((row) => Number(row.id)));
    const { json } = await ask(teacher, { url: '/api/student?tab=all' });
    const rows: { id: number }[] = json.rows ?? [];
    const read = new Set(rows.map((row) => row.id));
    const strange = [...read].filter((child) => !expected.has(child));
    const missing =
      rows.length < Math.min(expected.size, pageRows) ? [...expected].filter((child) => !read.has(child)) : [];
    if (strange.length + missing.length > 0)
      wrong.push({ words: `the teacher of section ${id} reads ${strange}, and not ${missing}` });
  }
  return wrong;
}

/** Rows of files without bytes. */
export async function lostFiles({ school }: YearSchool): Promise<Broken[]> {
  const { db, files, now } = school.services;
  const found = await checkFiles({ db, files, now, log: { info: () => undefined, error: () => undefined } });
  return (found?.missing ?? []).map((id) => ({ words: `file ${id} has no bytes` }));
}

/** Acts whose records a run audits one by one under its own name, or that may find nothing to do. */
const silent = [
  'plans made',
  'plans repriced',
  'a decision on a seat',
  'a reminder of fees',
  'a notice published',
].concat(...['advance applied', 'late fines posted', 'a notice read']);

/** Acts that the server acknowledged at once, and of which the log says nothing; and a log whose seals do not hold. */
export async function unaudited({ school }: YearSchool, journal: Journal): Promise<Broken[]> {
  const told = new Set((await school.sql('select distinct request_id as id from audit')).map(({ id }) => String(id)));
  const lost = journal.filter(({ request, act }) => request && !told.has(request) && !silent.includes(act));
  const verdict = await verifyAudit(school.services);
  const broken = isIntact(verdict) ? [] : [{ words: `the seals of the log say ${JSON.stringify(verdict)}` }];
  const unsaid = lost.map(({ act, day, request, students }) => ({
    ...(students[0] !== undefined && { student: students[0] }),
    request,
    words: `${act} of ${day} is not in the log (${request})`,
  }));
  return [...unsaid, ...broken];
}

/** The newest message. */
export const lastMessage = async ({ school }: YearSchool) =>
  Number((await school.sql('select coalesce(max(id), 0) as id from outbox'))[0]?.id);

/**
 * Messages of a day that were queued twice: the same kind about the same record to the same address. A child on the waiting
 * list who is offered a seat has two decisions, and a message of each.
 */
export async function doubledMessages({ school }: YearSchool, after: number): Promise<Broken[]> {
  const rows = await school.sql(`select template, channel, recipient, subject_id as subject, count(*) from outbox
    where id > ${after} group by template, channel, recipient, subject_id
    having count(*) > case template when 'admission.decision' then (select greatest(count(*), 1) from admission_decision
      where inquiry_id = subject_id and released_at is not null) else 1 end`);
  return rows.map((row) => ({ words: `message ${JSON.stringify(row)}` }));
}
