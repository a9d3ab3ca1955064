import { setTimeout as pause } from 'node:timers/promises';
import { correctionApi } from '#features/attendance/contract/correction.ts';
import { paymentApi } from '#features/fee-money/contract/payment.ts';
import { addDays } from '#kit/server/day.ts';
import type { Browser } from '../browser.ts';
import { ask, confirm, post } from './acting.ts';
import type { Broken } from './invariants.ts';
import { atServer, signInAll, type YearSchool } from './school.ts';
import type { YearRun } from './whole.ts';

/** An Admin who has just signed in, as closing a year asks for. */
const freshAdmin = async ({ school, app }: YearSchool, name: string) =>
  atServer(app, await school.person({ name, role: 'Admin' }));

/** The re-tests are decided: each child whose result waits remains where it is, or moves. */
async function decideRetests({ school, people, years }: YearSchool): Promise<void> {
  const undecided = await school.sql(`select distinct student_id as id from student_enrollment own
    where academic_year_id = ${years.old.id} and status = 'Active' and is_standing`);
  for (const { id } of undecided) {
    const { json } = await ask(people.office, { url: `/api/student/${id}/result` });
    if (!json?.result) continue;
    const body = { yearId: years.old.id, result: json.result.was, reason: 'Passed the re-test' };
    await post(people.office, `/student/${id}/result/confirm`, body);
  }
}

/** Children of the last day of whom nothing is written: they get a result, and the turn is made again for them. */
async function decideUnwritten({ school, people, years }: YearSchool): Promise<void> {
  const open = () =>
    school.sql(`select own.id, coalesce(result.version, 0) as version from student_enrollment own
      left join student_result result on result.enrollment_id = own.id
      where own.academic_year_id = ${years.old.id} and own.is_standing and own.status = 'Active'
        and (own.left_on is null or own.left_on >= '${years.old.endsOn}') and not exists (select from student_enrollment later
          where later.student_id = own.student_id and later.is_standing and later.academic_year_id = ${years.next.id})`);
  const children = await open();
  if (children.length === 0) return;
  for (const { id, version } of children) {
    const body = { version, decision: 'Leave', reason: 'Moved away', conduct: 'Good', progress: 'Good' };
    await ask(people.office, { method: 'PUT', url: `/api/student/result/${id}`, body });
  }
  await confirm(people.admin, `/year-end/${years.old.id}/turn`, { keeps: 'Same letter', gradeIds: [] });
  const isOpen = async () =>
    (await school.sql('select from run join academic_turn on run_id = run.id where finished_at is null')).length > 0;
  while (await isOpen()) await pause(300);
}

/** Of the 500 records that a person may open within an hour. */
const decidedAtOnce = 400;

/** The principal decides on every request that waits, in the course of some hours. */
async function decideAll({ school, people }: YearSchool): Promise<void> {
  const waiting = await school.sql(`select id from approval where status = 'Pending' order by id`);
  for (const [at, { id }] of waiting.entries()) {
    if (at % decidedAtOnce === 0) await school.sql('delete from attempt');
    const { status, json } = await ask(people.principal, { url: `/api/approval/${id}` });
    // A decision on one request can end another.
    if (status === 200 && json.status !== 'Pending') continue;
    if (status !== 200 || !json.may.decide)
      throw new Error(`The principal may not decide on request ${id}: ${JSON.stringify({ status, ...json })}`);
    const { version, seen } = json;
    const body = { version, seen, outcome: 'Approved', remark: '' };
    const done = await post(people.principal, `/approval/${id}/decide`, body);
    // What cannot be approved any more, such as a seat that another child has, is rejected.
    if (done.status !== 200) {
      const again = await ask(people.principal, { url: `/api/approval/${id}` });
      const { version, seen } = again.json;
      const rejected = await post(people.principal, `/approval/${id}/decide`, {
        version,
        seen,
        outcome: 'Rejected',
        remark: 'Too late',
      });
      if (rejected.status !== 200)
        throw new Error(`Request ${id} cannot be decided: ${JSON.stringify([done.json, rejected.json])}`);
    }
  }
}

/** What a closed year keeps as it is: rows that only its own acts write, and none of section 8 of what it still takes. */
const frozen = [
  'attendance_register',
  'student_section',
  'academic_section',
  'academic_section_teacher',
  'fee_structure',
  'transport_slab_price',
  'configuration_grade_subject',
];

const digestOf = async ({ school, years }: YearSchool) =>
  JSON.stringify(
    await school.sql(
      frozen
        .map(
          (table) => `select '${table}' as name, count(*) as rows,
            md5(coalesce(string_agg((to_jsonb(t) - 'version')::text, '' order by t.id), '')) as digest
            from ${table} t where academic_year_id = ${years.old.id}`,
        )
        .join(' union all '),
    ),
  );

interface Line {
  key: string;
  at: string;
  open: number | null;
  names: unknown;
}

const openLines = async (by: Browser, yearId: number): Promise<Line[]> =>
  (await ask(by, { url: `/api/year-end?yearId=${yearId}` })).json.lines.filter(({ open }: Line) => open !== 0);

/** Two Admins close the year at once while the server is killed; it is closed once. */
async function close({ world, kills }: YearRun, admins: readonly Browser[]): Promise<void> {
  const { years, app, school } = world;
  const [first] = admins;
  if (!first) throw new Error('Nobody closes the year.');
  const lines = await openLines(first, years.old.id);
  const blocks = lines.filter(({ at }) => at === 'blocks');
  if (blocks.length > 0) throw new Error(`The year is kept open by ${JSON.stringify(blocks)}`);
  const seen = lines.flatMap(({ key, at }) => (at === 'warns' ? [key] : []));
  const both = admins.map((admin) => confirm(admin, `/year-end/${years.old.id}/close`, { seen }));
  await pause(60);
  await app.kill();
  await app.start();
  kills.server += 1;
  const heard = await Promise.all(both);
  const [state] = await school.sql(`select status from academic_year where id = ${years.old.id}`);
  if (state?.status !== 'Closed' || heard.filter(({ status, json }) => status === 200 && json.isApplied).length !== 1)
    throw new Error(`The year was not closed once: ${JSON.stringify([state, heard])}`);
}

/** What is written into a closed year by the ways that are shut, each of which must be refused. */
async function knock({ school, people, years, sections, prices }: YearSchool): Promise<Broken[]> {
  const section = sections.find(({ isOfNext }) => !isOfNext);
  const [mark] =
    await school.sql(`select register.section_id as "sectionId", register.day::text, slot, student_id as "studentId",
      register.version, code_id as "codeId" from attendance_mark mark join attendance_register register on register.id = register_id
    where mark.academic_year_id = ${years.old.id} order by register.day desc, student_id limit 1`);
  const [child] = await school.sql(`select student_id as id from student_enrollment
    where academic_year_id = ${years.old.id} and status = 'Promoted' order by 1 limit 1`);
  const asked: [string, Browser, string, object][] = [
    [
      'a register',
      section?.teacher ?? people.office,
      '/attendance/register',
      {
        ...{ sectionId: mark?.sectionId, day: mark?.day, slot: mark?.slot, rowVersion: mark?.version },
        marks: [{ studentId: mark?.studentId, codeId: mark?.codeId, arrivedAt: '' }],
      },
    ],
    [
      'a move',
      people.office,
      `/student/${child?.id}/section`,
      { sectionId: section?.id, from: years.old.endsOn, reason: 'Late' },
    ],
    [
      'prices',
      people.accountant,
      '/fee/structure',
      {
        ...{ name: 'Too late', academicYearId: years.old.id, branchId: prices.place.branchId },
        ...{ programId: prices.place.programId, categoryId: null, admissionType: 'All students' },
        gradeIds: [prices.place.gradeId],
      },
    ],
  ];
  const wrong: Broken[] = [];
  for (const [name, by, path, body] of asked) {
    const { status, json } = await post(by, path, body);
    if (status < 400 || !/was closed on|is locked|another grade/.test(JSON.stringify(json)))
      wrong.push({ words: `${name} of the closed year is answered ${status}: ${JSON.stringify(json)}` });
  }
  return wrong;
}

/** A family pays what it owes of the closed year, and a mark of it is corrected by the principal. */
async function writeByOpenWays(world: YearSchool): Promise<Broken[]> {
  const { school, people, years } = world;
  const wrong: Broken[] = [];
  const [owing] =
    await school.sql(`select student_id as id from fee_due due join fee_account account on account.id = account_id
    where due.academic_year_id = ${years.old.id} and net - paid >= 100 and student_id is not null
      and exists (select from student where id = student_id and left_on is null) order by due.id limit 1`);
  if (owing) {
    const dues = await ask(people.accountant, { url: `/api${paymentApi.dues.path}?studentId=${owing.id}&on=` });
    const own = dues.json.children.find(({ studentId }: { studentId: number }) => studentId === owing.id);
    const line = own.lines.find(({ owed }: { owed: number }) => owed >= 100);
    const paid = await post(people.accountant, paymentApi.take.path, {
      ...{ payerGuardianId: dues.json.payers[0]?.guardianId ?? null, payerName: dues.json.payers[0] ? '' : 'A parent' },
      ...{
        payerMobile: '',
        mode: 'Cash',
        reference: '',
        amount: 100,
        paidOn: dues.json.today,
        backReason: '',
        remark: '',
      },
      children: [{ studentId: owing.id, version: own.version, lines: [{ key: line.key, amount: 100 }] }],
    });
    if (paid.status !== 200)
      wrong.push({
        student: Number(owing.id),
        words: `a due of the closed year is not taken: ${JSON.stringify(paid.json)}`,
      });
  }
  const [mark] =
    await school.sql(`select register.section_id as "sectionId", register.day::text, register.slot, mark.student_id as "studentId",
      (select min(id) from attendance_code where id <> mark.code_id and code in ('P', 'A')) as "codeId"
    from attendance_mark mark join attendance_register register on register.id = register_id
    where mark.academic_year_id = ${years.old.id} order by register.day, mark.student_id limit 1`);
  if (mark) {
    const sent = await post(people.office, correctionApi.request.path, {
      ...mark,
      arrivedAt: '',
      reason: 'Was at a match',
    });
    if (sent.status !== 200)
      wrong.push({ student: Number(mark.studentId), words: `no correction is taken: ${JSON.stringify(sent.json)}` });
    await decideAll(world);
    const [after] = await school.sql(`select code_id as code from attendance_mark mark join attendance_register register
      on register.id = register_id where section_id = ${mark.sectionId} and register.day = '${mark.day}' and student_id = ${mark.studentId}`);
    if (after?.code !== mark.codeId)
      wrong.push({ student: Number(mark.studentId), words: 'the corrected mark is as before' });
  }
  return wrong;
}

/** The year is closed, used by the ways that remain, reopened, and closed again. */
export async function closeAndReopen(run: YearRun, day: string): Promise<Broken[]> {
  const { world } = run;
  const { school, people, years } = world;
  world.clockAt(day, '18:00');
  await signInAll(world);
  await decideAll(world);
  await decideRetests(world);
  await decideUnwritten(world);
  const admins = [await freshAdmin(world, 'Kiran'), await freshAdmin(world, 'Bela')];
  await close(run, admins);
  const before = await digestOf(world);
  const wrong = [...(await knock(world)), ...(await writeByOpenWays(world))];
  if ((await digestOf(world)) !== before)
    wrong.push({ words: `the closed year changed: ${before}, ${await digestOf(world)}` });
  world.clockAt(addDays(day, 1), '09:00');
  const [admin] = admins;
  if (!admin) return wrong;
  const reopened = await post(admin, `/year-end/${years.old.id}/reopen`, { reason: 'A result was forgotten' });
  if (reopened.status !== 200) wrong.push({ words: `the year is not reopened: ${JSON.stringify(reopened.json)}` });
  await close(run, admins);
  const [events] =
    await school.sql(`select count(*) from academic_year where id = academic_year_on('${addDays(day, 1)}')
    and id = ${years.next.id}`);
  if (Number(events?.count) !== 1) wrong.push({ words: 'the year of today is another one after the closing' });
  return [...wrong, ...(await closedEvents(people.office))];
}

/** The year was closed, reopened and closed. */
async function closedEvents(by: Browser): Promise<Broken[]> {
  const { json } = await ask(by, { url: '/api/year-end/closed' });
  const kinds = json.events.map(({ kind }: { kind: string }) => kind);
  return kinds.join(' ') === 'Closed Reopened Closed' ? [] : [{ words: `the events of closing are ${kinds}` }];
}
