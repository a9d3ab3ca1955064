import { beforeEach, expect, test } from 'vitest';
import { showDate } from '#kit/contract/day.ts';
import type { ImportRow } from '#kit/contract/import.ts';
import type { Person } from '#testing/browser.ts';
import { inEnglish } from '#testing/messages.ts';
import { openPlacing, type PlacingStage } from '#testing/placing.ts';
import type { School } from '#testing/school.ts';
import { sectionStudentApi } from '../../contract/section-student.ts';

const { current, child, children, day, move, studentsIn, rollsIn, overview } = openPlacing();
let school: School;
let admin: Person;
let here: PlacingStage;
beforeEach(() => {
  ({ school, admin, here } = current());
});

const setRoll = (enrollmentId: number, rollNo: number, on = '') =>
  admin.send({
    method: 'PUT',
    url: `/api/academic/section-student/${here.a}/roll-number`,
    body: { enrollmentId, rollNo, on },
  });

const rollsOn = async (sectionId: number, on: string) =>
  (await studentsIn(sectionId, on)).map(({ name, rollNo }) => `${rollNo} ${name.split(' ')[0]}`);

const importing = (file: string, confirmToken?: string, on = here.from) =>
  admin.send({
    method: 'POST',
    url: `/api/academic/section-student/${here.a}/roll-number/import`,
    body: { file, confirmToken, on },
  });

test('a student who leaves later keeps the roll number until then', async () => {
  const [a = 0, b = 0, c = 0] = await children('Asha', 'Bela', 'Chhaya');
  await move(here.a, [a, b]);
  await move(here.b, [b], day(50));
  await move(here.a, [c], day(10));
  const rolls = (await studentsIn(here.a, day(20))).map(({ rollNo }) => rollNo);
  expect(rolls).toEqual([1, 2, 3]);
});

test('K4.3 roll numbers of a section are unique, also for simultaneous changes, and new students get the next one', async () => {
  const [a = 0, b = 0, c = 0] = await children('Asha', 'Bela', 'Chhaya');
  await move(here.a, [b, a]);
  await move(here.a, [c]);
  expect(await rollsIn(here.a)).toEqual(['1 Asha', '2 Bela', '3 Chhaya']);
  const set = (enrollmentId: number, rollNo: number) =>
    admin.send({
      method: 'PUT',
      url: `/api/academic/section-student/${here.a}/roll-number`,
      body: { enrollmentId, rollNo },
    });
  expect((await set(a, 2)).json.error.fields).toEqual({
    rollNo: 'Bela Shah has roll number 2. Enter a different one.',
  });
  const both = await Promise.all([set(a, 9), set(b, 9)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect((await set(999_999, 7)).status).toBe(409);
  // After 999 a new student gets no number.
  expect((await set(a, 999)).status).toBe(200);
  await school.sql(`update academic_section set capacity = 4 where id = ${here.a}`);
  expect((await move(here.a, await children('Dina'))).status).toBe(200);
  expect(await rollsIn(here.a)).toContain('null Dina');
  await expect(school.sql(`update student_section set roll_no = 3 where section_id = ${here.a}`)).rejects.toThrow(
    'student_section_roll',
  );
});

test('a section is renumbered by each rule after a preview, and locked numbers stay', async () => {
  const students: [string, string, string][] = [
    ['Tara', 'F', '10'],
    ['Dev', 'M', '9'],
    ['Ajay', 'M', '100'],
  ];
  const ids = await Promise.all(students.map(([name, gender, grNo]) => child(name, { gender, grNo })));
  for (const id of ids) await move(here.a, [id]);
  const preview = (rule: string, confirmToken?: string) =>
    admin.send({
      method: 'POST',
      url: `/api/academic/section-student/${here.a}/roll-number`,
      body: { rule, confirmToken },
    });
  const number = async (rule: string) => preview(rule, (await preview(rule)).json.confirmToken ?? '');
  const trial = await preview('Name');
  expect(trial.json.rolls.map(({ name, before, after }: Record<string, unknown>) => [name, before, after])).toEqual([
    ['Ajay Shah', 3, 1],
    ['Dev Shah', 2, 2],
    ['Tara Shah', 1, 3],
  ]);
  expect(await rollsIn(here.a)).toEqual(['1 Tara', '2 Dev', '3 Ajay']);
  const orders: [string, string[]][] = [
    ['Name', ['1 Ajay', '2 Dev', '3 Tara']],
    ['Girls first', ['1 Tara', '2 Ajay', '3 Dev']],
    ['Boys first', ['1 Ajay', '2 Dev', '3 Tara']],
    ['GR number', ['1 Dev', '2 Tara', '3 Ajay']],
  ];
  for (const [rule, expected] of orders) {
    await number(rule);
    expect([rule, await rollsIn(here.a)]).toEqual([rule, expected]);
  }
  await move(here.a, [await child('Uma', { grNo: '11' })]);
  expect((await preview('GR number', trial.json.confirmToken)).json.error.code).toBe('stale');
  expect((await preview('Name', trial.json.confirmToken)).json.error.code).toBe('stale');
  await admin.call(sectionStudentApi.lock, { id: here.a, isLocked: true });
  expect((await number('Name')).json.error.message).toBe(
    'The roll numbers of this section are locked. Unlock them first.',
  );
  expect((await overview()).sections.find(({ id }) => id === here.a)?.isRollLocked).toBe(true);
  const answer = await admin.send({
    method: 'PUT',
    url: `/api/academic/section-student/${here.a}/roll-number`,
    body: { enrollmentId: ids[0], rollNo: 9 },
  });
  expect(answer.json.error.message).toBe('The roll numbers of this section are locked. Unlock them first.');
  await admin.call(sectionStudentApi.lock, { id: here.a, isLocked: false });
  expect((await number('Name')).status).toBe(200);
});

test('K4.3 a roll number belongs to one student on every day, also of a student who leaves later', async () => {
  const [asha = 0, bela = 0, chhaya = 0] = await children('Asha', 'Bela', 'Chhaya');
  await move(here.a, [asha, bela]);
  await move(here.b, [bela], day(50));
  await move(here.a, [chhaya], day(60));
  expect((await setRoll(asha, 2, day(10))).json.error.fields).toEqual({
    rollNo: `Bela Shah has roll number 2 (– ${showDate(day(49))}). Enter a different one.`,
  });
  await expect(school.sql(`update student_section set roll_no = 2 where enrollment_id = ${asha}`)).rejects.toThrow(
    'student_section_roll',
  );
  // Chhaya comes after Bela has left, so both can have number 2.
  expect((await setRoll(chhaya, 2, day(60))).status).toBe(200);
  expect((await setRoll(bela, 7, day(10))).status).toBe(200);
  expect((await setRoll(asha, 2, day(10))).json.error.fields).toEqual({
    rollNo: `Chhaya Shah has roll number 2 (${showDate(day(60))} –). Enter a different one.`,
  });
  expect([await rollsOn(here.a, day(10)), await rollsOn(here.a, day(60))]).toEqual([
    ['1 Asha', '7 Bela'],
    ['1 Asha', '2 Chhaya'],
  ]);
  expect((await setRoll(bela, 8, day(60))).json.error.message).toBe(
    `This student is not in the section on ${showDate(day(60))}. Check the list and try again.`,
  );
});

test('students who leave before the year’s end are numbered last, each with one number', async () => {
  const ids = await children('Asha', 'Bela', 'Chhaya');
  await move(here.a, ids);
  await move(here.b, ids.slice(0, 2), day(50));
  await move(here.a, ids.slice(1, 2), day(70));
  const url = `/api/academic/section-student/${here.a}/roll-number`;
  const number = (confirmToken?: string) => admin.send({ method: 'POST', url, body: { rule: 'Name', confirmToken } });
  const { rolls, confirmToken } = (await number()).json;
  const told = rolls.map(({ name, before, after, until }: Record<string, unknown>) => {
    return [name, before, after, until];
  });
  expect(told).toEqual([
    ['Bela Shah', 4, 1, ''],
    ['Chhaya Shah', 3, 2, ''],
    ['Asha Shah', 1, 3, day(49)],
    ['Bela Shah', 2, 1, day(49)],
  ]);
  expect((await number(confirmToken)).status).toBe(200);
  expect([await rollsOn(here.a, day(10)), await rollsOn(here.a, day(70))]).toEqual([
    ['1 Bela', '2 Chhaya', '3 Asha'],
    ['1 Bela', '2 Chhaya'],
  ]);
});

test('K4.3 an import of roll numbers accepts a class list, explains every refused row, and is applied as previewed or not at all', async () => {
  const ids = [await child('Asha', { grNo: '-71' }), ...(await children('Bela', 'Chhaya'))];
  await move(here.a, ids);
  const grNos = (await studentsIn(here.a, here.from)).map(({ grNo }) => grNo);
  const [asha, bela, chhaya] = grNos;
  const list = (...lines: string[]) => ['Roll number,GR number', ...lines].join('\r\n');

  // The same number twice, an unknown GR number, and an invalid number.
  const bad = list(`3,'${asha}`, `3,${bela}`, '4,nobody', `x,${chhaya}`);
  const wrong = await importing(bad);
  expect(wrong.json.counts).toEqual({ added: 0, changed: 0, same: 0, wrong: 4 });
  expect(
    wrong.json.rows.map(({ displayName, messages }: ImportRow) => [displayName, Object.values(inEnglish(messages))[0]]),
  ).toEqual([
    ['Asha Shah', 'Bela Shah has roll number 3. Enter a different one.'],
    ['Bela Shah', 'Asha Shah has roll number 3. Enter a different one.'],
    ['nobody', expect.stringMatching(/^No student in .+ on .+ has this GR number\.$/)],
    ['Chhaya Shah', 'Enter a whole number from 1 to 999.'],
  ]);
  expect(inEnglish((await importing(list(`9,${bela}`, `3,'${asha}`))).json.rows[0].messages)).toEqual({
    rollNo: 'Chhaya Shah has roll number 3. Enter a different one.',
  });
  expect(wrong.json.confirmToken).toBeNull();
  expect((await importing(bad, 'x')).json.error.code).toBe('stale');
  const elsewhere = await importing(`Section,GR number,Roll number\n"Grade 9, Z",${bela},5`);
  expect(inEnglish(elsewhere.json.rows[0].messages)).toEqual({
    section: 'This row belongs to Grade 9, Z. Import it in that section.',
  });
  expect(await rollsIn(here.a)).toEqual(['1 Asha', '2 Bela', '3 Chhaya']);

  // Two students swap numbers; a change in between makes the preview stale.
  const swap = list(`2,'${asha}`, `1,${bela}`);
  const trial = (await importing(swap)).json;
  expect([trial.counts, trial.isApplied]).toEqual([{ added: 0, changed: 2, same: 0, wrong: 0 }, false]);
  expect(trial.rows.map(({ messages }: ImportRow) => inEnglish(messages))).toEqual([
    { rollNo: '1 → 2' },
    { rollNo: '2 → 1' },
  ]);
  await setRoll(ids[1] ?? 0, 8, here.from);
  expect((await importing(swap, trial.confirmToken)).json.error.code).toBe('stale');
  const { confirmToken } = (await importing(swap)).json;
  expect((await importing(swap, confirmToken)).json.isApplied).toBe(true);
  expect(await rollsIn(here.a)).toEqual(['1 Bela', '2 Asha', '3 Chhaya']);
  const noted = () => school.sql(`select details from audit where action = 'section-student.rolls-imported'`);
  expect((await noted()).map(({ details }) => details)).toMatchObject([
    { Changed: 2, Numbers: 'Asha Shah 1 → 2; Bela Shah 8 → 1' },
  ]);

  // An exported list changes nothing.
  const url = `/api/academic/section-student/export?academicYearId=${here.academicYearId}&gradeId=${here.gradeId}&sectionId=${here.a}&on=${here.from}&what=list&as=csv`;
  const exported = (await admin.send({ url })).text;
  const same = (await importing(exported)).json;
  expect(same.counts).toEqual({ added: 0, changed: 0, same: 3, wrong: 0 });
  expect((await importing(exported, same.confirmToken)).json.isApplied).toBe(true);
  expect(await noted()).toHaveLength(1);

  await admin.call(sectionStudentApi.lock, { id: here.a, isLocked: true });
  expect((await importing(exported)).status).toBe(409);
});

test('K4.3 a row with another student’s name is refused, and the confirmation holds for one file', async () => {
  await move(here.a, await children('Asha', 'Bela'));
  const [asha, bela] = (await studentsIn(here.a, here.from)).map(({ grNo }) => grNo);
  const foreign = await importing(`GR number,Roll number,Name\n${asha},7,Zoya Khan`);
  expect(inEnglish(foreign.json.rows[0].messages)).toEqual({
    grNo: 'This GR number belongs to Asha Shah. Check the name.',
  });
  const { confirmToken } = (await importing(`GR number,Roll number,Name\n${asha},7,asha shah`)).json;
  expect((await importing(`GR number,Roll number\n${bela},7`, confirmToken)).json.error.code).toBe('stale');
  expect(await rollsIn(here.a)).toEqual(['1 Asha', '2 Bela']);
});

test('U1.17 all sections of a year are numbered in one act by the school’s rule, and locked sections are left out by name', async () => {
  const office = await school.person({ name: 'Meena', sets: ['office'] });
  await move(here.a, [await child('Tara', { grNo: '8101' })]);
  await move(here.a, [await child('Asha', { grNo: '8102' })]);
  await move(here.b, [await child('Zoya', { grNo: '8105' }), await child('Bela', { grNo: '8104' })]);
  const [locked] =
    await school.sql(`insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name,
      capacity, medium, is_roll_locked)
    select academic_year_id, branch_id, grade_id, program_id, 'Locked', 3, medium, true from academic_section
    where id = ${here.a} returning id`);
  await move(Number(locked?.id), [await child('Uma')]);
  await move(Number(locked?.id), [await child('Anita')]);
  const number = (rule: '' | 'Name' | 'GR number', confirmToken?: string, by = office) =>
    by.call(sectionStudentApi.numberAll, {
      academicYearId: here.academicYearId,
      rule,
      ...(confirmToken && { confirmToken }),
    });
  await school.sql(`insert into setting (key, value) values ('school.roll-rule', '"GR number"')`);
  // In the order of GR numbers nothing changes.
  expect(await number('')).toMatchObject({ rule: 'GR number', confirmToken: null });
  await school.sql(`delete from setting where key = 'school.roll-rule'`);
  const preview = await number('');
  expect(preview.rule).toBe('Name');
  expect(preview.sections.map(({ students, changed }) => [students, changed])).toEqual([
    [2, 2],
    [2, 0],
  ]);
  expect(preview.locked).toEqual([expect.stringMatching(/, Locked$/)]);
  expect(await rollsIn(here.a)).toEqual(['1 Tara', '2 Asha']);
  await move(here.a, [await child('Dina', { grNo: '8103' })]);
  await expect(number('', preview.confirmToken ?? '')).rejects.toMatchObject({ code: 'stale' });
  await number('', (await number('')).confirmToken ?? '');
  expect(await rollsIn(here.a)).toEqual(['1 Asha', '2 Dina', '3 Tara']);
  expect(await rollsIn(Number(locked?.id))).toEqual(['1 Uma', '2 Anita']);
  const [noted] = await school.sql(`select details from audit where action = 'section-student.numbered-all'`);
  expect(noted?.details).toMatchObject({ Order: 'Name', Sections: 1, Changed: 3 });
  const elsewhere = await school.person({
    sets: ['office'],
    branchIds: [
      Number((await school.sql(`insert into academic_branch (name, code) values ('Far', 'FAR') returning id`))[0]?.id),
    ],
  });
  expect(await number('Name', undefined, elsewhere)).toMatchObject({ sections: [], locked: [], confirmToken: null });
  await school.sql(`update academic_year set status = 'Closed', closed_at = now() where id = ${here.academicYearId}`);
  await expect(number('Name')).rejects.toMatchObject({ code: 'conflict' });
});
