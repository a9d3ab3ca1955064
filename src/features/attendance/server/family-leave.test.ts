import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { english } from '#kit/contract/text.ts';
import type { Browser, Person } from '#testing/browser.ts';
import { prove, raiseWithLink } from '#testing/family.ts';
import { form, openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { leaveApi } from '../contract/leave.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());
/** A Tuesday. */
const today = '2025-09-16';
beforeEach(async () => {
  school.clock.now = new Date(`${today}T09:30:00+05:30`);
  await school.sql('delete from attempt');
});

/** The next days of school of a child from today on; the calendar of the school says which they are. */
async function schoolDays(child: number): Promise<string[]> {
  const rows = await school.sql(`select days.day::text as day
    from student_enrollment own join academic_year year on year.id = own.academic_year_id
    cross join lateral academic_school_days(year.id, '${today}', date '${today}' + 40) as days
    where own.student_id = ${child} and days.grade_id = own.grade_id and days.work > 0 order by days.day`);
  return rows.map(({ day }) => String(day));
}

/** A child with a class teacher, a mother with a proven phone, and a father who gets messages. */
async function openFamily() {
  const section = await openSection(school, { day: `'${today}'` });
  const child = await seat(school, section, 'Aarohi');
  const meera = await raiseWithLink(school, [child], { firstName: 'Meera', mobile: '9825000101' });
  const father = await raise(school, [child], { firstName: 'Ravi', mobile: '9825000102' }, { isPrimary: false });
  await school.sql(`update student_guardian set receives_messages = true where student_id = ${child}`);
  const phone = await prove(school, meera);
  const teacher = await school.person();
  await teach(school, teacher, { sectionId: section });
  return { section, child, ...meera, father, phone, teacher };
}

const asked = (over: object) => ({ half: 'Whole day', kind: 'Family', reason: 'Wedding', ...over });
const ask = (phone: Browser, link: string, values: Record<string, unknown>) =>
  phone.send({ method: 'POST', url: `/api/family/leave?family=${link}`, body: form(asked(values) as never) });
const list = (phone: Browser, link: string) => phone.send({ url: `/api/family/leave?family=${link}` });
/** The requests about a child that a person decides. */
const pending = async (by: Browser, child: number) => {
  const own = await school.sql(`select id from approval where student_id = ${child}`);
  const { json } = await by.send({ url: '/api/approval?tab=forMe' });
  const rows = json.rows as { id: number; requestedBy: string }[];
  return rows.filter(({ id }) => own.some((one) => one.id === id));
};
async function decide(by: Person, id: number, outcome: string, remark = '') {
  const { json } = await by.send({ url: `/api/approval/${id}` });
  return by.send({
    method: 'POST',
    url: `/api/approval/${id}/decide`,
    body: { version: json.version, seen: json.seen, outcome, remark },
  });
}
const register = (section: number, teacher: Person, day: string) =>
  teacher.send({ url: `/api/attendance/register?sectionId=${section}&day=${day}&slot=` });

describe('leave that a guardian asks for', () => {
  test('FM05 it shows in the register, the other parent gets a message at once, and a class teacher grants it', async () => {
    const { section, child, link, phone, teacher, guardianId, father } = await openFamily();
    const [, second = '', third = ''] = await schoolDays(child);
    expect((await ask(phone, link, { studentId: child, fromDay: second, toDay: third })).json).toEqual({ days: '2' });
    const sent = await school.sql(
      `select recipient, template, reader_id from outbox where template like 'attendance.leave%' and reader_id = ${father}`,
    );
    expect(sent.map(({ recipient, template }) => [recipient, template])).toEqual([
      ['9825000102', 'attendance.leave-asked'],
    ]);
    const { json } = await register(section, teacher, second);
    const own = json.children.find(({ studentId }: { studentId: number }) => studentId === child);
    expect([
      own.leave.state,
      own.leave.isByFamily,
      json.codes.find(({ id }: { id: number }) => id === own.leave.codeId)?.code,
    ]).toEqual(['Asked', true, 'A']);
    const [request] = await pending(teacher, child);
    expect(request?.requestedBy).toMatch(/^Meera/);
    expect((await decide(teacher, request?.id ?? 0, 'Approved')).status).toBe(200);
    const [told] = await school.sql(
      `select recipient, reader_id from outbox where template = 'attendance.leave-granted' and reader_id = ${guardianId}`,
    );
    expect(told).toEqual({ recipient: '9825000101', reader_id: guardianId });
    const [row] = (await list(phone, link)).json;
    expect([row.state, row.mayWithdraw]).toEqual(['Granted', true]);
  });

  test('FM05 a day without school within it is not counted, and is named before', async () => {
    const { child, link, phone } = await openFamily();
    const days = await schoolDays(child);
    const [first = '', last = ''] = [days[1], days[7]];
    const query = `studentId=${child}&fromDay=${first}&toDay=${last}&half=Whole day`;
    const { json } = await phone.send({ url: `/api/family/leave/count?family=${link}&${encodeURI(query)}` });
    expect(json.days).toBe('7');
    expect(json.off.length).toBeGreaterThan(0);
  });

  /** Takes today's register with a mark of the child; returns how its mark is read, and the register's id. */
  async function mark(section: number, child: number, teacher: Person, code: string) {
    const [row] = await school.sql(`
      with register as (
        insert into attendance_register (academic_year_id, branch_id, program_id, grade_id, section_id, day, slot, taken_by,
          taken_at, locks_at)
        select academic_year_id, branch_id, program_id, grade_id, id, '${today}', 'Full day', ${teacher.staffId}, now(),
          now() + interval '1 day' from academic_section where id = ${section} returning *)
      insert into attendance_mark (register_id, student_id, academic_year_id, day, half, code_id)
      select register.id, ${child}, register.academic_year_id, register.day, register.half, code.id
      from register, attendance_code code where code.code = '${code}' returning register_id as id`);
    const read = async () => {
      const [now] = await school.sql(`select code.kind from attendance_mark mark
        join attendance_code code on code.id = mark.code_id where mark.student_id = ${child}`);
      return now?.kind;
    };
    return { id: Number(row?.id), read };
  }

  test('FM05 an absence becomes leave when the request is granted, and not before', async () => {
    const { section, child, link, phone, teacher } = await openFamily();
    const { read } = await mark(section, child, teacher, 'A');
    expect((await ask(phone, link, { studentId: child, fromDay: today, toDay: today })).status).toBe(200);
    expect(await read()).toBe('Absent');
    const [request] = await pending(teacher, child);
    expect((await decide(teacher, request?.id ?? 0, 'Approved')).status).toBe(200);
    expect(await read()).toBe('Leave');
  });

  test('FM05 a request without a decision excuses no absence once the register is locked, and the request says so', async () => {
    const { section, child, link, phone, teacher } = await openFamily();
    const { id, read } = await mark(section, child, teacher, 'A');
    await ask(phone, link, { studentId: child, fromDay: today, toDay: today });
    await school.sql(`update attendance_register set locks_at = now() - interval '1 minute' where id = ${id}`);
    const [request] = await pending(teacher, child);
    const { json } = await teacher.send({ url: `/api/approval/${request?.id}` });
    expect(json.effect.map((one: never) => english(one))).toContain('1 day is locked and needs a correction.');
    expect((await decide(teacher, request?.id ?? 0, 'Rejected', 'Examination today')).status).toBe(200);
    expect(await read()).toBe('Absent');
    const [row] = (await list(phone, link)).json;
    expect([row.state, row.remark, row.mayWithdraw]).toEqual(['Rejected', 'Examination today', false]);
  });

  test('a child that came at noon is there for half of the day, though its half day of leave is rejected or cancelled', async () => {
    const { section, child, link, phone, teacher } = await openFamily();
    const { read } = await mark(section, child, teacher, 'HD');
    const half = { studentId: child, fromDay: today, toDay: today, half: 'First half' };
    await ask(phone, link, half);
    const [first] = await pending(teacher, child);
    await decide(teacher, first?.id ?? 0, 'Rejected', 'Examination today');
    expect(await read()).toBe('Half day');
    await ask(phone, link, half);
    const [second] = await pending(teacher, child);
    await decide(teacher, second?.id ?? 0, 'Approved');
    const [leave] = await school.sql(
      `select id, version from attendance_leave where student_id = ${child} and state = 'Granted'`,
    );
    await teacher.call(leaveApi.cancel, { id: Number(leave?.id), version: Number(leave?.version) });
    expect(await read()).toBe('Half day');
  });

  test('the decision goes to the adult with whom the one who asked was merged, and the request has this name', async () => {
    const { child, link, phone, teacher, guardianId, father } = await openFamily();
    const [, day = ''] = await schoolDays(child);
    await ask(phone, link, { studentId: child, fromDay: day, toDay: day });
    await school.sql(`insert into guardian_merge (kept_id, retired_id, reason, done_by, done_at)
      values (${father}, ${guardianId}, 'Twice', 'Test', now())`);
    const [request] = await pending(teacher, child);
    expect(request?.requestedBy).toMatch(/^Ravi/);
    await decide(teacher, request?.id ?? 0, 'Approved');
    const told = await school.sql(
      `select reader_id from outbox where template = 'attendance.leave-granted' and reader_id in (${guardianId}, ${father})`,
    );
    expect(told).toEqual([{ reader_id: father }]);
  });

  test('a link on a phone that is not proven asks for nothing, and another child is as if it did not exist', async () => {
    const [one, other] = [await openFamily(), await openFamily()];
    const [, day = ''] = await schoolDays(one.child);
    const values = { studentId: one.child, fromDay: day, toDay: day };
    const unproven = await ask(school.browser(), one.link, values);
    expect([unproven.status, unproven.json.error.code]).toEqual([403, 'confirm_required']);
    const foreign = await ask(one.phone, one.link, { ...values, studentId: other.child });
    const none = await ask(one.phone, one.link, { ...values, studentId: 999_999 });
    expect([foreign.status, foreign.text]).toEqual([404, none.text]);
    expect(await school.sql(`select from attendance_leave where student_id in (${one.child}, ${other.child})`)).toEqual(
      [],
    );
  });

  test('an adult who sees school matters alone asks for no leave', async () => {
    const { child, link, phone, guardianId } = await openFamily();
    await school.sql(`update student_guardian set family_page = 'School matters' where guardian_id = ${guardianId}`);
    const [, day = ''] = await schoolDays(child);
    expect((await ask(phone, link, { studentId: child, fromDay: day, toDay: day })).status).toBe(404);
  });

  test('it is withdrawn before its first day and not after, and another family withdraws nothing', async () => {
    const [one, other] = [await openFamily(), await openFamily()];
    const [, day = ''] = await schoolDays(one.child);
    await ask(one.phone, one.link, { studentId: one.child, fromDay: day, toDay: day });
    const [{ id }] = (await list(one.phone, one.link)).json;
    const withdraw = (by: Browser, link: string) =>
      by.send({ method: 'POST', url: `/api/family/leave/${id}/withdraw?family=${link}`, body: {} });
    expect((await withdraw(other.phone, other.link)).status).toBe(404);
    expect((await withdraw(one.phone, one.link)).status).toBe(200);
    expect((await withdraw(one.phone, one.link)).json.error.code).toBe('conflict');
    expect(await pending(one.teacher, one.child)).toEqual([]);
  });
});

describe('who decides', () => {
  test('FM06 three waiting leaves of two days side by side count six, so the third is the principal’s', async () => {
    const { child, link, phone, teacher } = await openFamily();
    const days = await schoolDays(child);
    for (const [from, to] of [
      [days[1], days[2]],
      [days[3], days[4]],
      [days[5], days[6]],
    ])
      expect((await ask(phone, link, { studentId: child, fromDay: from, toDay: to })).status).toBe(200);
    const counted = await school.sql(
      `select counted from attendance_leave where student_id = ${child} order by from_day`,
    );
    expect(counted.map((row) => Number(row.counted) / 2)).toEqual([2, 4, 6]);
    expect(await pending(teacher, child)).toHaveLength(1);
    const principal = await school.person({ sets: ['principal'] });
    expect(await pending(principal, child)).toHaveLength(3);
  });

  test('FM06 a class teacher never decides for the own child, nor notes leave of it as granted', async () => {
    const { section, child, link, phone, father, teacher } = await openFamily();
    await school.sql(`update guardian set staff_id = ${teacher.staffId} where id = ${father}`);
    const days = await schoolDays(child);
    await ask(phone, link, { studentId: child, fromDay: days[1], toDay: days[1] });
    expect(await pending(teacher, child)).toEqual([]);
    await expect(
      school.sql(`update approval set status = 'Approved', decided_by = ${teacher.staffId}, decided_at = now()
        where student_id = ${child}`),
    ).rejects.toThrow('a second person decides');
    const noted = await teacher.send({
      method: 'POST',
      url: '/api/attendance/leave',
      body: {
        studentId: child,
        number: '',
        fromDay: days[3],
        toDay: days[3],
        half: 'Whole day',
        kind: 'Sick',
        reason: '',
      },
    });
    expect(noted.json.state).toBe('Asked');
    await expect(
      school.sql(`insert into attendance_leave (academic_year_id, student_id, from_day, to_day, kind, state, halves, counted, noted_by, noted_at)
        select academic_year_id, ${child}, '${days[5]}', '${days[5]}', 'Sick', 'Granted', 2, 2, ${teacher.staffId}, now()
        from academic_section where id = ${section}`),
    ).rejects.toThrow('a parent grants no leave');
  });
});
