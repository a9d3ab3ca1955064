import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalApi } from '#features/approval/contract/approval.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { setDay, takeRegister } from '#testing/registers.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { saveSetting } from '#testing/settings.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { openFleet } from '#testing/transport.ts';
import { dailyApi } from '../contract/daily.ts';
import { exitApi, exitMessages } from '../contract/exit.ts';
import { registerApi } from '../contract/register.ts';
import { exitHalvesDay } from './settings.ts';

let school: School;
let office: Person;
let principal: Person;
const today = toLocalDate(new Date());
const at = (time: string) => {
  school.clock.now = new Date(`${today}T${time}:00+05:30`);
};

beforeAll(async () => {
  school = await openSchool();
  await openSection(school, { day: `'${today}'` });
  await setDay(school, today, 'Working day');
  at('09:00');
  office = await school.person({ sets: ['office'] });
  principal = await school.person({ name: 'Kokila Rao', sets: ['principal'] });
});
afterAll(() => school.close());

/** A class with its teacher, and a child with a mother who may collect it and a father who is barred. */
async function openFamily(...names: string[]) {
  at('10:00');
  const teacher = await school.person();
  const section = await teach(school, teacher, { sectionId: await openSection(school, { day: `'${today}'` }) });
  const children: number[] = [];
  for (const name of names) children.push(await seat(school, section, name));
  const [child = 0] = children;
  const mother = await raise(school, [child], { firstName: 'Meena', mobile: '9825012345' }, { relation: 'Mother' });
  const father = await raise(school, [child], { firstName: 'Nikhil', mobile: '9825012346' }, { isPrimary: false });
  await school.sql(`update student_guardian set may_collect = true, receives_messages = true where guardian_id = ${mother};
    update student_guardian set is_barred = true, may_collect = false, receives_messages = false where guardian_id = ${father}`);
  return { teacher, section, children, child, mother, father };
}
const leaving = (studentId: number, guardianId: number | null, over: object = {}) => ({
  ...{ studentId: String(studentId), guardianId, reason: 'Dentist', person: '', relation: '', allowedWhy: '' },
  ...over,
});
const refused = (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    ({ fields, text }) =>
      Object.keys(fields ?? {}).length > 0
        ? Object.entries(fields).map(([name, message]) => [name, message])
        : text?.id,
  );
const field = (name: string, message: { id: string }) => [[name, expect.objectContaining({ id: message.id })]];
const exitsOf = async (child: number) =>
  Number((await school.sql(`select count(*) as n from attendance_exit where student_id = ${child}`))[0]?.n);
const markOf = async (child: number) =>
  (
    await school.sql(`select code.code, to_char(arrived_at, 'HH24:MI') as at from attendance_mark mark
    join attendance_code code on code.id = mark.code_id where student_id = ${child} and day = '${today}'`)
  )[0];

const lock = (section: number) =>
  school.sql(`update attendance_register set locks_at = now() - interval '1 minute' where section_id = ${section}`);
const correctionsOf = (child: number) =>
  school.sql(`select correction.reason, outcome, approval.status, code.code as to, to_char(new_arrived_at, 'HH24:MI') as at
    from attendance_correction correction join approval on approval.attendance_correction_id = correction.id
    join attendance_code code on code.id = new_code_id where correction.student_id = ${child} order by correction.id`);

test('GP1 late at 9:20 in the register and at 9:25 at the gate are two children in count and list, and one child twice is one', async () => {
  const { teacher, section, children } = await openFamily('Aarav', 'Bina', 'Charu');
  const [, bina = 0, charu = 0] = children;
  const numberOf = async (child: number) =>
    String((await school.sql(`select gr_no from student where id = ${child}`))[0]?.gr_no);
  at('09:25');
  await office.call(dailyApi.enter, { number: await numberOf(bina) });
  await office.call(dailyApi.enter, { number: await numberOf(charu) });
  at('09:40');
  await takeRegister(teacher, section, '', { Aarav: 'L 09:20', Charu: 'L 09:20' });
  const { sections, late } = await office.call(dailyApi.read, { day: '' });
  expect(sections.find(({ id }) => id === section)?.late).toBe(3);
  expect(
    late
      .filter(({ studentId }) => children.includes(studentId))
      .map((one) => [one.name, one.arrivedAt, one.isAtGate, one.isMarked]),
  ).toEqual([
    ['Bina Shah', '09:25', true, false],
    ['Aarav Shah', '09:20', false, true],
    ['Charu Shah', '09:20', true, true],
  ]);
});

test('GP1 a barred father is refused, also by the principal, and under his name as another person', async () => {
  const { child, father } = await openFamily('Aarav');
  for (const who of [office, principal])
    expect(
      await refused(
        who.call(exitApi.leave, leaving(child, father, { allowedBy: principal.staffId, allowedWhy: 'He asked' })),
      ),
    ).toEqual(field('guardianId', exitMessages.barred));
  const other = { person: 'nikhil  SHAH', relation: 'Uncle', allowedBy: principal.staffId, allowedWhy: 'He asked' };
  expect(await refused(principal.call(exitApi.leave, leaving(child, null, other)))).toEqual(
    field('person', exitMessages.barred),
  );
  await expect(
    school.sql(`insert into attendance_exit (academic_year_id, student_id, day, left_at, reason, guardian_id, pass_no, allowed_by,
        allowed_why, entered_by, entered_at)
      select academic_year_id, ${child}, '${today}', '12:10', 'Dentist', ${father}, 'X', ${principal.staffId}, 'He asked',
        ${office.staffId}, now() from student_enrollment where student_id = ${child}`),
  ).rejects.toThrow('may not collect');
  expect(await exitsOf(child)).toBe(0);
});

test('GP1 another person needs the name of a principal and a reason, and the pass keeps both', async () => {
  const { child, mother } = await openFamily('Aarav');
  const elsewhere = await school.person({ sets: ['office'] });
  const uncle = { person: 'Suresh Desai', relation: 'Uncle' };
  expect(await refused(office.call(exitApi.leave, leaving(child, null, uncle)))).toEqual(
    field('allowedBy', exitMessages.principal),
  );
  expect(
    await refused(office.call(exitApi.leave, leaving(child, null, { ...uncle, allowedBy: principal.staffId }))),
  ).toEqual(field('allowedWhy', exitMessages.why));
  const why = { allowedWhy: 'The mother called' };
  expect(
    await refused(office.call(exitApi.leave, leaving(child, null, { ...uncle, ...why, allowedBy: elsewhere.staffId }))),
  ).toEqual(field('allowedBy', exitMessages.notPrincipal));
  await school.sql(`update student_guardian set may_collect = false where guardian_id = ${mother}`);
  expect(await refused(office.call(exitApi.leave, leaving(child, mother)))).toEqual(
    field('allowedBy', exitMessages.principal),
  );
  at('12:10');
  const { id } = await office.call(
    exitApi.leave,
    leaving(child, null, { ...uncle, ...why, allowedBy: principal.staffId }),
  );
  await office.send({ url: `/api/attendance/exit/${id}/slip` });
  expect(school.papers.last().words).toMatch(/SureshDesai\(Uncle\).*KokilaRao/);
});

test('GP1 when a child leaves at 12:10 with the mother, the family gets a message at once, the way home names it, and a second pass is refused', async () => {
  const { teacher, section, child, children, mother } = await openFamily('Aarav', 'Bina');
  const [, absent = 0] = children;
  const fleet = await openFleet(school, { seats: 3 });
  const [stop = 0] = fleet.stops;
  await school.sql(`insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id, drop_trip_id, drop_stop_id,
      fee, effective_from, billed_from) values (${child}, ${fleet.pickup.trip}, ${stop}, ${fleet.drop.trip}, ${stop}, 'Free', '${today}', '${today}')`);
  await takeRegister(teacher, section, '', { Bina: 'A' });
  expect(
    await refused(
      office.call(
        exitApi.leave,
        leaving(absent, null, { person: 'A', relation: 'B', allowedBy: principal.staffId, allowedWhy: 'C' }),
      ),
    ),
  ).toEqual([['studentId', expect.objectContaining({ values: expect.objectContaining({ code: 'Absent' }) })]]);
  at('12:10');
  expect(await refused(office.call(exitApi.leave, leaving(child, mother, { leftAt: '12:11' })))).toEqual(
    field('leftAt', exitMessages.later),
  );
  const made = await office.call(exitApi.leave, leaving(child, mother));
  expect(made).toMatchObject({ name: 'Aarav Shah', leftAt: '12:10', mark: 'Same', isTold: true });
  expect(made.passNo).toMatch(/^GP\/.+\/\d{5}$/);
  expect(await refused(principal.call(exitApi.leave, leaving(child, mother)))).toEqual(
    field('studentId', exitMessages.isOut),
  );
  const [message] = await school.sql(`select id, recipient, status, not_before <= now() as "isNow" from outbox
    where template = 'attendance.left' and subject_id = ${made.id}`);
  expect(message).toMatchObject({ recipient: '9825012345', status: 'queued' });

  const keeper = await school.person({ sets: ['transportIncharge'] });
  const hereOn = async (trip: number) => {
    await keeper.send({ url: `/api/transport/trip/${trip}/manifest?day=${today}` });
    return school.papers.last().data.trips[0].table.rows.map((cells: string[]) => cells.at(-1));
  };
  expect(await hereOn(fleet.drop.trip)).toEqual(['left 12:10 with mother']);
  expect(await hereOn(fleet.pickup.trip)).toEqual(['[    ]']);
  const { left } = await keeper.call(dailyApi.read, { day: '' });
  expect(left.find(({ id }) => id === made.id)).toMatchObject({ person: 'Meena Shah', relation: 'Mother', reason: '' });

  at('13:05');
  expect(await office.call(exitApi.returned, { id: made.id })).toEqual({
    ...{ name: 'Aarav Shah', returnedAt: '13:05', mark: 'Same' },
  });
  expect(await refused(office.call(exitApi.returned, { id: made.id }))).toBe(exitMessages.isBack.id);
  expect(await hereOn(fleet.drop.trip)).toEqual(['[    ]']);
  const { left: after } = await office.call(dailyApi.read, { day: '' });
  expect(after.find(({ id }) => id === made.id)).toMatchObject({ reason: 'Dentist', returnedAt: '13:05' });
  // After the return the child may leave again.
  at('13:30');
  expect(await refused(office.call(exitApi.leave, leaving(child, mother)))).toBe('done');
});

test('GP1 of two passes for one child at the same moment one is made', async () => {
  const { child, mother } = await openFamily('Aarav');
  at('12:10');
  const outcomes = await Promise.all(
    [office, principal].map((who) => refused(who.call(exitApi.leave, leaving(child, mother)))),
  );
  expect(outcomes).toContain('done');
  expect(outcomes).toContainEqual(field('studentId', exitMessages.isOut));
  expect(await exitsOf(child)).toBe(1);
});

test('GP1 leaving before the hour makes the mark half a day where the school wants it, and a return gives it back', async () => {
  const { teacher, section, child, mother } = await openFamily('Aarav');
  await takeRegister(teacher, section, '', { Aarav: 'L 09:20' });
  at('11:00');
  const first = await office.call(exitApi.leave, leaving(child, mother));
  expect([first.mark, await markOf(child)]).toEqual(['Same', { code: 'L', at: '09:20' }]);
  await office.call(exitApi.returned, { id: first.id });

  await saveSetting(school, exitHalvesDay, true);
  at('11:10');
  const second = await office.call(exitApi.leave, leaving(child, mother));
  expect([second.mark, await markOf(child)]).toEqual(['Half day', { code: 'HD', at: null }]);
  const back = await office.call(exitApi.returned, { id: second.id });
  expect([back.mark, await markOf(child)]).toEqual(['Given back', { code: 'L', at: '09:20' }]);
  at('12:00');
  const third = await office.call(exitApi.leave, leaving(child, mother));
  expect([third.mark, await markOf(child)]).toEqual(['Same', { code: 'L', at: '09:20' }]);
  await office.call(exitApi.returned, { id: third.id });

  await lock(section);
  const fourth = await office.call(exitApi.leave, leaving(child, mother, { leftAt: '11:30' }));
  expect([fourth.mark, await markOf(child)]).toEqual(['Correction requested', { code: 'L', at: '09:20' }]);
  const [correction] = await school.sql(`select reason, new.code from attendance_correction
    join attendance_code new on new.id = new_code_id where student_id = ${child}`);
  expect(correction).toEqual({ reason: 'Left at 11:30', code: 'HD' });
  await saveSetting(school, exitHalvesDay, false);
});

test('GP1 a return takes back the correction of a locked register that the exit requested, and asks for one where it was approved', async () => {
  await saveSetting(school, exitHalvesDay, true);
  const { teacher, section, child, mother } = await openFamily('Aarav');
  await takeRegister(teacher, section, '', { Aarav: 'L 09:20' });
  await lock(section);
  at('11:00');
  const first = await office.call(exitApi.leave, leaving(child, mother));
  at('11:10');
  const back = await office.call(exitApi.returned, { id: first.id });
  expect([back.mark, await markOf(child)]).toEqual(['Correction withdrawn', { code: 'L', at: '09:20' }]);
  expect(await correctionsOf(child)).toEqual([
    { reason: 'Left at 11:00', outcome: 'Withdrawn', status: 'Withdrawn', to: 'HD', at: null },
  ]);

  at('11:20');
  const second = await office.call(exitApi.leave, leaving(child, mother));
  expect(second.mark).toBe('Correction requested');
  const [approval] = await school.sql(`select max(id) as id from approval where student_id = ${child}`);
  const approvalId = Number(approval?.id);
  const { version, seen } = await principal.call(approvalApi.read, { id: approvalId });
  const decided = { version, seen, outcome: 'Approved', remark: '' };
  await principal.send({ method: 'POST', url: `/api/approval/${approvalId}/decide`, body: decided });
  expect(await markOf(child)).toEqual({ code: 'HD', at: null });
  at('11:30');
  expect((await office.call(exitApi.returned, { id: second.id })).mark).toBe('Correction requested');
  expect((await correctionsOf(child)).at(-1)).toEqual({
    reason: 'Back at 11:30',
    outcome: null,
    status: 'Pending',
    to: 'L',
    at: '09:20',
  });
  await saveSetting(school, exitHalvesDay, false);
});

test('GP1 a child who is back after its register was locked is asked about: the mark before is requested', async () => {
  await saveSetting(school, exitHalvesDay, true);
  const { teacher, section, child, mother } = await openFamily('Aarav');
  await takeRegister(teacher, section, '', { Aarav: 'L 09:20' });
  at('11:00');
  const { id, mark } = await office.call(exitApi.leave, leaving(child, mother));
  expect(mark).toBe('Half day');
  await lock(section);
  at('11:30');
  const back = await office.call(exitApi.returned, { id });
  expect([back.mark, await markOf(child)]).toEqual(['Correction requested', { code: 'HD', at: null }]);
  expect(await correctionsOf(child)).toEqual([
    { reason: 'Back at 11:30', outcome: null, status: 'Pending', to: 'L', at: '09:20' },
  ]);
  await saveSetting(school, exitHalvesDay, false);
});

test('GP1 a register taken after the child left begins with half a day, and that of the afternoon with leave', async () => {
  await saveSetting(school, exitHalvesDay, true);
  const { teacher, section, child, mother } = await openFamily('Aarav');
  at('11:00');
  const { id } = await office.call(exitApi.leave, leaving(child, mother));
  const sheetOf = async () => {
    const { children, codes } = await teacher.call(registerApi.read, { sectionId: section, day: today });
    const own = children.find(({ studentId }) => studentId === child);
    return [own?.leftAt, codes.find((code) => code.id === own?.leftCodeId)?.kind];
  };
  expect(await sheetOf()).toEqual(['11:00', 'Half day']);
  await saveSetting(school, exitHalvesDay, false);
  expect(await sheetOf()).toEqual(['11:00', undefined]);
  await school.sql(`insert into attendance_twice (academic_year_id, grade_id)
    select academic_year_id, grade_id from academic_section where id = ${section}`);
  at('12:30');
  expect(await sheetOf()).toEqual(['11:00', 'Leave']);
  await office.call(exitApi.returned, { id });
  expect(await sheetOf()).toEqual(['', undefined]);
  await school.sql(
    `delete from attendance_twice where grade_id = (select grade_id from academic_section where id = ${section})`,
  );
});

test('GP1 an office of another branch finds no child, makes no pass and prints none', async () => {
  const { child, mother } = await openFamily('Aarav');
  const [branch] = await school.sql(`insert into academic_branch (name, code) values ('East', 'EAST') returning id`);
  const other = await school.person({ sets: ['office'], branchIds: [Number(branch?.id)] });
  at('12:10');
  const { id } = await office.call(exitApi.leave, leaving(child, mother));
  const [{ grNo } = {}] = await school.sql(`select gr_no as "grNo" from student where id = ${child}`);
  const number = String(grNo);
  expect((await other.call(exitApi.child, { number })).children).toEqual([]);
  expect((await office.call(exitApi.child, { number })).children).toMatchObject([
    { name: 'Aarav Shah', outSince: '12:10', adults: [{ name: 'Meena Shah', mayCollect: true }, { isBarred: true }] },
  ]);
  expect(await refused(other.call(exitApi.leave, leaving(child, mother)))).not.toBe('done');
  expect(await refused(other.call(exitApi.returned, { id }))).not.toBe('done');
  expect((await other.send({ url: `/api/attendance/exit/${id}/slip` })).status).toBe(404);
});
