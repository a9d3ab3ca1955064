import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { type Browser, openBrowser } from '#testing/browser.ts';
import { openFamilyPage, prove, raiseWithLink } from '#testing/family.ts';
import { teachSubject } from '#testing/homework.ts';
import { setDay } from '#testing/registers.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { signsOf } from './feed.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

const today = toLocalDate(new Date());
type Guardian = { guardianId: number; link: string };
const feed = (phone: Browser, link: string, method: 'GET' | 'POST' | 'DELETE') =>
  phone.send({ method, url: `/api/family/feed?family=${link}`, ...(method !== 'GET' && { body: {} }) });
const read = (value: string) => openBrowser(school).send({ url: `/api/family/calendar.ics?feed=${value}` });

/** The value of a new address of a guardian. */
async function turnOn({ guardianId, link }: Guardian, proven?: Browser): Promise<string> {
  const phone = proven ?? (await prove(school, { guardianId, link }));
  const { json } = await feed(phone, link, 'POST');
  return json.address.split('=')[1];
}

const entriesOf = (text: string) =>
  text
    .replaceAll('\r\n ', '')
    .split('BEGIN:VEVENT\r\n')
    .slice(1)
    .map((entry) => {
      const lines = entry.split('\r\n').map((line) => line.split(/[:;]/, 1).concat(line.replace(/^[^:]*:/, '')));
      return Object.fromEntries(lines) as Record<string, string>;
    });
const titlesOf = async (value: string) => entriesOf((await read(value)).text).map(({ SUMMARY }) => SUMMARY);

describe('the address of a guardian’s calendar', () => {
  test('FM25 only a proven phone makes or ends a calendar address, which is shown once and stored as a hash', async () => {
    const meera = await openFamilyPage(school);
    const strange = openBrowser(school);
    for (const method of ['GET', 'POST', 'DELETE'] as const)
      expect((await feed(strange, meera.link, method)).json.error.code).toBe('confirm_required');
    const phone = await prove(school, meera);
    expect((await feed(phone, meera.link, 'GET')).json).toEqual({
      since: '',
      signs: [{ id: meera.child, sign: 'A', child: 'Aarohi' }],
    });
    const value = await turnOn(meera, phone);
    expect(value).toMatch(/^[0-9a-f]{32}$/);
    expect(value).not.toBe(meera.link);
    const { status, text, headers } = await read(value);
    expect([status, headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(text).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2.0\r\n.*END:VCALENDAR\r\n$/s);
    const state = await feed(phone, meera.link, 'GET');
    expect([state.json.since, state.text.includes(value)]).toEqual([today, false]);
    const [row] = await school.sql(
      `select family_feed::text as row from family_feed where guardian_id = ${meera.guardianId}`,
    );
    expect(String(row?.row)).not.toContain(value);
    const acts = await school.sql(`select action, actor, details from audit
      where entity = 'guardian' and entity_id = ${meera.guardianId} and action like 'family.feed%'`);
    expect(acts).toEqual([expect.objectContaining({ action: 'family.feed.made' })]);
    expect(JSON.stringify(acts)).not.toContain(value);
    expect((await feed(phone, meera.link, 'DELETE')).status).toBe(200);
    expect((await read(value)).status).toBe(404);
  });

  test('FM25 a new address ends the earlier one, also when both come with one key', async () => {
    const meera = await openFamilyPage(school);
    const phone = await prove(school, meera);
    const ask = () =>
      phone.send({
        method: 'POST',
        url: `/api/family/feed?family=${meera.link}`,
        body: {},
        headers: { 'idempotency-key': 'the-same-key' },
      });
    const [first, second] = [await ask(), await ask()].map(({ json }) => json.address.split('=')[1]);
    expect(first).not.toBe(second);
    expect([(await read(first)).status, (await read(second)).status]).toEqual([404, 200]);
  });

  test('FM25 unknown, ended and foreign values get one answer', async () => {
    const meera = await openFamilyPage(school);
    const phone = await prove(school, meera);
    const value = await turnOn(meera, phone);
    await feed(phone, meera.link, 'DELETE');
    const gone = await openFamilyPage(school);
    const left = await turnOn(gone);
    await school.sql(`update student_section set effective_to = current_date - 1 where student_id = ${gone.child};
      update student_enrollment set status = 'Left', left_on = current_date - 1 where student_id = ${gone.child}`);
    const answers = await Promise.all(
      [value, left, meera.link, 'ab'.repeat(16), '', 'x', `of-${meera.guardianId}`].map(read),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    const own = await turnOn(await openFamilyPage(school));
    const page = await school.send({ url: `/api/family?family=${own}` });
    expect([page.status, page.text]).toEqual([404, answers[0]?.text]);
  });

  test.each<[string, (guardian: Guardian & { child: number }) => Promise<unknown>]>([
    [
      'a changed number',
      ({ guardianId }) => school.sql(`update guardian set mobile = '9825000555' where id = ${guardianId}`),
    ],
    [
      'a revoked link',
      ({ guardianId }) =>
        school.sql(
          `update family_link set revoked_at = now(), revoked_reason = 'Lost' where guardian_id = ${guardianId}`,
        ),
    ],
    [
      'a link that the office renews',
      async ({ guardianId }) =>
        (await school.person({ sets: ['office'] })).send({
          method: 'POST',
          url: `/api/family-link/${guardianId}/renew`,
          body: { channel: 'SMS' },
        }),
    ],
    [
      'barring the guardian',
      async ({ guardianId, child }) => {
        // Another child is seen, so the link works on.
        const other = await seat(school, await openSection(school), 'Dev');
        const kiran = await raise(school, [other], { firstName: 'Kiran' });
        await school.sql(`insert into student_guardian (student_id, guardian_id, relation_id, role, is_primary)
          select case guardian_id when ${kiran} then ${child} else ${other} end,
            guardian_id, relation_id, role, false from student_guardian where guardian_id in (${guardianId}, ${kiran});
          update student_guardian set is_primary = not is_primary where student_id = ${child};
          update student_guardian set is_barred = true, may_collect = false, receives_messages = false
          where guardian_id = ${guardianId} and student_id = ${child}`);
      },
    ],
    [
      'barring another adult with the same number',
      async ({ child }) => {
        const father = await raise(
          school,
          [child],
          { firstName: 'Rajesh', mobile: '9825000001' },
          { isPrimary: false },
        );
        await school.sql(`update student_guardian set is_primary = false, is_barred = true, may_collect = false, receives_messages = false
          where guardian_id = ${father}`);
      },
    ],
  ])('FM02 ends with %s, with the answer of an unknown value', async (_, act) => {
    const meera = await openFamilyPage(school);
    const value = await turnOn(meera);
    expect((await read(value)).status).toBe(200);
    await act(meera);
    const [dead, unknown] = [await read(value), await read('cd'.repeat(16))];
    expect([dead.status, dead.text]).toEqual([404, unknown.text]);
    expect(await school.sql(`select from family_feed where guardian_id = ${meera.guardianId}`)).toEqual([]);
  });

  test('FM25 a phone that is signed out while it asks gets none', async () => {
    const meera = await openFamilyPage(school);
    const phone = await prove(school, meera);
    const held = await school.services.db.startTransaction().execute();
    await held.selectFrom('guardian').where('id', '=', meera.guardianId).select('id').forUpdate().execute();
    await held
      .updateTable('family_device')
      .set({ ended_at: new Date() })
      .where('guardian_id', '=', meera.guardianId)
      .execute();
    const asking = feed(phone, meera.link, 'POST');
    await new Promise((go) => setTimeout(go, 200));
    await held.commit().execute();
    expect((await asking).json.error.code).toBe('confirm_required');
    expect(await school.sql(`select from family_feed where guardian_id = ${meera.guardianId}`)).toEqual([]);
  });

  test('N12.5 reading counts no opening, is limited, and leaves the value in no log', async () => {
    const meera = await openFamilyPage(school);
    const value = await turnOn(meera);
    for (let times = 0; times < 60; times++) expect((await read(value)).status).toBe(200);
    const { status, headers } = await read(value);
    expect([status, Number(headers['retry-after']) > 3000]).toEqual([429, true]);
    expect(await school.sql(`select from family_opening where guardian_id = ${meera.guardianId}`)).toEqual([]);
    expect(school.log()).toContain('/api/family/calendar.ics');
    expect(school.log()).not.toContain(value);
  });
});

describe('the calendar', () => {
  test('FM25 names children by the first letter, and two with the same one by age', () => {
    const named = (...names: string[]) =>
      [...signsOf(names.map((name, studentId) => ({ studentId, name }))).values()].join(' ');
    expect(named('Aarohi', 'dev', 'Aarav')).toBe('A1 D A2');
    expect(named('કૃપા', 'आरव')).toBe('કૃ आ');
  });

  test('FM25 has the days without school of the children’s grades, and names whose they are where not of all', async () => {
    const [one, other] = [await openSection(school), await openSection(school)];
    await school.sql(`update academic_section set grade_id = (select max(id) from academic_grade) where id = ${other}`);
    const children = [await seat(school, one, 'Aarohi'), await seat(school, other, 'Dev')];
    const meera = await raiseWithLink(school, children, { firstName: 'Meera', mobile: '9825000031' });
    const day = addDays(today, 2);
    const [grades] = await school.sql(`select max(id) as dev from academic_grade`);
    await school.sql(`delete from academic_calendar_day;
      insert into academic_calendar_day (academic_year_id, day, kind, name, grade_id)
      select year.id, ${`'${day}'`}::date + more, 'Vacation', 'Diwali, and Bhai Dooj', null from academic_year year, generate_series(0, 2) as more
      where current_date between starts_on and ends_on
      union all select year.id, ${`'${day}'`}::date + 5, 'Holiday', 'Picnic', ${grades?.dev}::integer from academic_year year
      where current_date between starts_on and ends_on
      union all select year.id, ${`'${day}'`}::date + 6, 'Exam day', 'Tests', null from academic_year year
      where current_date between starts_on and ends_on`);
    const entries = entriesOf((await read(await turnOn(meera))).text);
    const compact = (date: string) => date.replaceAll('-', '');
    expect(entries.map(({ SUMMARY, DTSTART, DTEND }) => [SUMMARY, DTSTART, DTEND])).toEqual([
      ['No school: Diwali\\, and Bhai Dooj', compact(day), compact(addDays(day, 3))],
      ['D: No school: Picnic', compact(addDays(day, 5)), compact(addDays(day, 6))],
    ]);
    await school.sql('delete from academic_calendar_day');
  });

  test('FM25 has homework, in the guardian’s language, under keys that remain when its day moves', async () => {
    await setDay(school, today, 'Working day');
    const due = addDays(today, 1);
    await setDay(school, due, 'Working day');
    const meera = await openFamilyPage(school);
    const [place] = await school.sql(`select section_id as id from student_section where student_id = ${meera.child}`);
    const teacher = await school.person();
    const subject = await teachSubject(school, teacher, [{ id: Number(place?.id) }], { name: 'Maths' });
    await school.sql(`with content as (insert into homework (academic_year_id, subject_id, owner_id, title, kind, minutes)
        select academic_year_id, ${subject}, ${teacher.staffId}, 'Sums; page 4', 'Written', 20 from academic_section
        where id = ${place?.id} returning id)
      insert into homework_section (homework_id, academic_year_id, branch_id, program_id, grade_id, section_id, subject_id,
        assigned_on, due_on, state, publish_at, given_by, news)
      select content.id, academic_year_id, branch_id, program_id, grade_id, section.id, ${subject}, '${today}', '${today}',
        'Published', now(), ${teacher.staffId}, 'New'
      from academic_section section, content where section.id = ${place?.id}`);
    const value = await turnOn(meera);
    const before = entriesOf((await read(value)).text);
    expect(before.map(({ SUMMARY, DESCRIPTION }) => [SUMMARY, DESCRIPTION])).toEqual([
      ['A: Maths due', 'Sums\\; page 4'],
    ]);
    await school.sql(`update homework_section set due_on = '${due}' where section_id = ${place?.id};
      insert into guardian_preference (guardian_id, language, set_by) values (${meera.guardianId}, 'gu', 'Guardian')`);
    const after = entriesOf((await read(value)).text);
    expect(after.map(({ SUMMARY, DTSTART }) => [SUMMARY, DTSTART])).toEqual([
      ['A: Maths: ગૃહકાર્ય', due.replaceAll('-', '')],
    ]);
    expect(after.map(({ UID }) => UID)).toEqual(before.map(({ UID }) => UID));
    expect(await titlesOf(await turnOn(await openFamilyPage(school)))).toEqual([]);
  });

  test('FM25 has at most 400 entries: those to come before those that have passed', async () => {
    const parts = school.services.familyParts as unknown[];
    const dates = (first: number, count: number) =>
      Array.from({ length: count }, (_, place) => {
        const day = addDays(today, first + place);
        return { key: `many-${first}-${place}`, of: [], words: { id: 'Many' }, when: { from: day, to: day } };
      });
    parts.push({ key: 'many', dates: async () => [...dates(-40, 40), ...dates(0, 380)] });
    const entries = entriesOf((await read(await turnOn(await openFamilyPage(school)))).text);
    parts.pop();
    expect(entries).toHaveLength(400);
    const days = entries.map(({ DTSTART }) => DTSTART ?? '').sort();
    expect(days[0]).toBe(addDays(today, -20).replaceAll('-', ''));
  });
});
