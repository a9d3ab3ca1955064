import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { openBrowser, type Person } from '#testing/browser.ts';
import { type App, startApp } from '#testing/faults/app.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { isSoak } from '#testing/soak.ts';
import { openSection } from '#testing/teachers.ts';
import { leavingApi } from '../../contract/leaving.ts';

let school: School;
let app: App;
let office: Person;
let section: number;
beforeAll(async () => {
  school = await openOwnSchool();
  office = await school.person({ name: 'Meena', sets: ['office'] });
  section = await openSection(school);
  app = await startApp(school);
});
afterAll(async () => {
  await app.kill();
  await school.close();
});

async function openLeaver() {
  const id = await seat(school, section, 'Riya');
  const [reason] = await school.sql(`select id from academic_lookup where name = 'Moved to another city'`);
  const lastDay = addDays(toLocalDate(new Date()), -1);
  const facts = { conduct: 'Good', progress: 'Satisfactory', nextSchool: '', remark: '' };
  const input = { id, lastDay, reasonId: Number(reason?.id), ...facts };
  const { confirmToken } = await office.call(leavingApi.leave, input);
  await office.call(leavingApi.leave, { ...input, confirmToken: confirmToken ?? undefined });
  return id;
}

test('L1.34 a server killed between the number of a leaving certificate and its paper loses neither, and the series has no gap', async () => {
  const clerk = openBrowser(app);
  for (const [name, value] of office.cookies) clerk.cookies.set(name, value);
  const counts: number[] = [];
  for (let round = 0; round < (isSoak ? 12 : 1); round += 1) {
    const id = await openLeaver();
    const asked = { kind: 'Leaving', purpose: '', conduct: '', overrideReason: '' };
    const send = (body: object) => clerk.send({ method: 'POST', url: `/api/student/${id}/certificate`, body });
    const { confirmToken } = (await send(asked)).json;
    const make = () => send({ ...asked, confirmToken });
    // Killed within the act, the number is drawn with the certificate or not at all.
    const cutOff = make().catch(() => null);
    if (round % 2 === 1) await app.kill();
    await cutOff;
    if (round % 2 === 1) await app.start();
    const [kept] = await school.sql(`select id, number from student_certificate where student_id = ${id}`);
    const { id: certificate, number } = kept ?? (await make()).json;
    counts.push(Number(String(number).slice(-4)));

    const url = `/api/student/${id}/certificate/${certificate}/file`;
    const opened = clerk.send({ url }).catch(() => null);
    await app.kill();
    await opened;
    await app.start();
    const [first, second] = [await clerk.send({ url }), await clerk.send({ url })];
    expect([first.status, first.bytes.subarray(0, 4).toString()]).toEqual([200, '%PDF']);
    expect(second.bytes.equals(first.bytes)).toBe(true);
    const rows = await school.sql(`select number, file_id is not null as has_file,
        (select count(*)::int from file where owner = 'student_certificate' and owner_id = own.id) as files
      from student_certificate own where student_id = ${id}`);
    expect(rows).toEqual([{ number, has_file: true, files: 1 }]);
  }
  expect(counts).toEqual(counts.map((_, index) => index + 1));
});
