import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GrantedSet } from '#access/contract/grants.ts';
import { verbatim } from '#kit/contract/text.ts';
import type { HookAnswer } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { answer } from '#kit/server/hook.ts';
import type { RunBatch } from '#kit/server/job/runs.ts';
import type { Person } from '#testing/browser.ts';
import { pagesOf } from '#testing/pdf.ts';
import { finishRun } from '#testing/runs.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import type { CertificateWord } from '../../contract/certificate.ts';
import { leavingCheck } from '../../contract/hooks.ts';
import { leavingApi } from '../../contract/leaving.ts';
import { certificateRuns } from './certificate-many.ts';

let school: School;
let office: Person;
let principal: Person;
let section: number;
let reasonId: number;
let today: string;
beforeAll(async () => {
  school = await openOwnSchool();
  const person = (set: GrantedSet, name: string) => school.person({ name, sets: [set] });
  office = await person('office', 'Meena');
  principal = await person('principal', 'Farida');
  section = await openSection(school);
  await school.sql(`update academic_section set capacity = 80 where id = ${section}`);
  const [reason] = await school.sql(`select id from academic_lookup where name = 'Moved to another city'`);
  reasonId = Number(reason?.id);
  today = toLocalDate(new Date());
});
afterAll(() => school.close());

const child = (name = 'Riya', birthDate = '2016-08-04') => seat(school, section, name, { birthDate });
async function leave(id: number, lastDay = addDays(today, -1)) {
  const input = { id, lastDay, reasonId, conduct: 'Good', progress: 'Satisfactory', nextSchool: '', remark: '' };
  const { confirmToken } = await office.call(leavingApi.leave, input);
  await office.call(leavingApi.leave, { ...input, confirmToken: confirmToken ?? undefined });
}
const leaver = async (name = 'Riya') => {
  const id = await child(name);
  await leave(id);
  return id;
};
const asked = (kind: CertificateWord = 'Leaving') => ({ kind, purpose: '', conduct: 'Good', overrideReason: '' });
const send = (id: number, over: object = {}, by = office, kind: CertificateWord = 'Leaving') =>
  by.send({ method: 'POST', url: `/api/student/${id}/certificate`, body: { ...asked(kind), ...over } });
async function issue(id: number, kind: CertificateWord = 'Leaving') {
  const { json } = await send(id, {}, office, kind);
  const issued = await send(id, { confirmToken: json.confirmToken }, office, kind);
  expect([issued.status, issued.json]).toMatchObject([200, { isApplied: true }]);
  return issued.json as { id: number; number: string };
}
const codeOf = async (id: number) =>
  String((await school.sql(`select code from student_certificate where id = ${id}`))[0]?.code);
/** Everything that a certificate may write. */
const written = () =>
  school.sql(`select (select jsonb_agg(own order by series_id, period) from number_series_value own) as series,
    (select count(*) from student_certificate) as certificates, (select count(*) from audit where action like 'student.certificate%') as acts`);
const owing = (ids: readonly number[]) =>
  answer(
    leavingCheck,
    { by: 'fee', step: 9 },
    async (_, { studentIds }) =>
      new Map(studentIds.flatMap((id) => (ids.includes(id) ? [[id, [verbatim('Fees: ₹1,200')]] as const] : []))),
  );
async function whileOwing<Result>(ids: readonly number[], act: () => Promise<Result>): Promise<Result> {
  const answers = school.services.answers as HookAnswer[];
  const owes = owing(ids);
  answers.push(owes);
  try {
    return await act();
  } finally {
    answers.splice(answers.indexOf(owes), 1);
  }
}

test('Q1.14 a preview of a leaving certificate draws no number and lists what the paper leaves out', async () => {
  const id = await leaver();
  const before = await written();
  const previews = [];
  for (let turn = 0; turn < 10; turn += 1) previews.push(await send(id));
  expect(await written()).toEqual(before);
  const [{ json } = { json: {} }] = previews;
  expect(json).toMatchObject({ isApplied: false, id: null, blocks: [] });
  expect(json.empty.map(({ label }: { label: { id: string } }) => label.id)).toEqual(
    expect.arrayContaining(['Caste', 'Birth place', 'PEN']),
  );
  expect(new Set(previews.map((one) => one.json.number))).toEqual(new Set([json.number]));
  expect((await issue(id)).number).toBe(json.number);
});

test('Q1.14 dues refuse the leaving certificate in the preview and in the act, and only the principal issues it with a reason', async () => {
  const id = await leaver('Owes');
  await whileOwing([id], async () => {
    const preview = await send(id);
    expect([preview.status, preview.json.confirmToken, preview.json.blocks.length]).toEqual([200, null, 1]);
    expect((await send(id, { confirmToken: 'none' })).status).toBe(409);
    const shown = await send(id, {}, principal);
    expect(shown.json).toMatchObject({ needsReason: true, blocks: [] });
    const { confirmToken } = shown.json;
    expect((await send(id, { confirmToken }, principal)).json.error?.fields).toHaveProperty('overrideReason');
    expect((await send(id, { confirmToken, overrideReason: 'In need' }, principal)).status).toBe(200);
  });
});

test('Q1.14 one preview that is confirmed twice at once issues one certificate, of any kind', async () => {
  for (const kind of ['Leaving', 'Bonafide'] as const) {
    const id = await leaver(`Twice ${kind}`);
    const { confirmToken } = (await send(id, {}, office, kind)).json;
    const answers = await Promise.all([1, 2].map(() => send(id, { confirmToken }, office, kind)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await school.sql(`select id from student_certificate where student_id = ${id}`)).toHaveLength(1);
  }
});

test('Q1.14 a character certificate has its own words and number, and another one says what differs', async () => {
  const id = await child('Esha');
  const { number } = await issue(id, 'Character');
  expect(number).toMatch(/^CC\//);
  await school.sql(`update student set birth_date = '2016-04-08' where id = ${id}`);
  const { json } = await send(id, {}, office, 'Character');
  expect(json.differs).toHaveLength(1);
  const study = await send(id, {}, office, 'Study');
  expect(study.json.page.entries.length).toBeGreaterThan(2);
  expect((await issue(id, 'Study')).number).toMatch(/^SC\//);
});

test('Q1.15 58 of 60 leavers get their certificates in one run that is killed twice, without a gap, in class order, and one PDF', async () => {
  const ids: number[] = [];
  for (let index = 0; index < 60; index += 1) {
    const id = await child(`Leaver-${String(index).padStart(2, '0')}`);
    // By roll number the last name comes first.
    await school.sql(`update student_section set roll_no = ${60 - index} where student_id = ${id}`);
    await leave(id);
    ids.push(id);
  }
  const [owes = 0, here = 0] = ids;
  await school.sql(`delete from student_leaving where student_id = ${here}`);
  const before = Number(
    (await school.sql(`select count(*) as count from student_certificate where kind = 'Leaving'`))[0]?.count,
  );
  const selection = { ids, isAll: false, query: {} };
  const body = { selection, ...asked(), overrideReason: undefined };
  const many = (over: object) =>
    office.send({ method: 'POST', url: '/api/student/certificate-many', body: { ...body, ...over } });
  const run = await whileOwing([owes], async () => {
    const preview = await many({});
    expect([preview.json.changed, preview.json.skippedCount]).toEqual([58, 2]);
    const started = await many({ confirmToken: preview.json.confirmToken });
    expect(started.status).toBe(200);
    expect((await many({ confirmToken: preview.json.confirmToken })).status).toBe(409);
    return Number(started.json.runId);
  });
  // The connection is lost at the end of the first and of the third batch: what was done in them is gone.
  const { act } = certificateRuns['student.certificate'];
  let batches = 0;
  const killed: RunBatch = {
    most: 20,
    act: async (ctx, places, input) => {
      const done = await act(ctx, places, input);
      batches += 1;
      if (batches === 1 || batches === 3) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(ctx.db);
      return done;
    },
  };
  for (let turn = 0; turn < 3; turn += 1)
    await finishRun(school.services, { 'student.certificate': killed }, run).catch(() => undefined);
  expect(batches).toBeGreaterThanOrEqual(3);
  await finishRun(school.services, certificateRuns, run);
  const rows =
    await school.sql(`select number, student.name from student_certificate own join student on student.id = own.student_id
    where run_id = ${run} order by own.id`);
  expect(rows).toHaveLength(58);
  expect(rows.map(({ number }) => Number(String(number).slice(-4)))).toEqual(
    Array.from({ length: 58 }, (_, index) => before + 1 + index),
  );
  const names = rows.map(({ name }) => String(name));
  expect(names).toEqual([...names].sort().reverse());
  school.papers.isReal = true;
  const file = await office.send({ url: `/api/student/certificate-run/${run}/file` });
  school.papers.isReal = false;
  expect(file.status).toBe(200);
  const pages = await pagesOf(file.bytes);
  expect(pages).toHaveLength(58);
  expect(pages[57]?.replaceAll(/\s/g, '')).toContain(String(rows[57]?.number));
});

test('Q1.16 the code on a paper proves number, kind and day, and says whose it is to nobody', async () => {
  const id = await leaver('Secretname');
  const open = async (code: string) => {
    const { status, text, headers } = await school.send({ url: `/c/${code}` });
    return { status, text, type: headers['content-type'] };
  };
  const first = await issue(id);
  const code = await codeOf(first.id);
  const valid = await open(code);
  expect([valid.status, valid.text]).toEqual([200, expect.stringContaining(first.number)]);
  expect(valid.text).toContain('Valid');
  const url = `/api/student/${id}/certificate/${first.id}/void`;
  await office.send({ method: 'POST', url, body: { reason: 'Secretreason' } });
  const voided = await open(code);
  expect(voided.text).toContain('Void');
  const second = await issue(id);
  const replaced = await open(code);
  expect(replaced.text).toContain('Replaced');
  expect(replaced.text).toContain(second.number);
  const unknown = await open('aaaaaaaaaa');
  expect([unknown.status, (await open('x')).status, (await open("a'--")).status]).toEqual([404, 404, 404]);
  for (const { text } of [valid, voided, replaced, unknown])
    for (const secret of ['Secret', 'Shah']) expect(text).not.toContain(secret);
  expect(school.log()).not.toContain(code);
  await open(code);
  expect(school.log()).toContain('/c/[link]');
});

test('Q1.16 known and unknown codes take the same time, and a network that guesses waits', async () => {
  const known = await codeOf((await issue(await leaver('Timed'))).id);
  const took = async (code: string) => {
    const start = performance.now();
    for (const find of school.services.proofs) await find(school.services, code);
    return performance.now() - start;
  };
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  for (let turn = 0; turn < 2000; turn += 1) {
    times.known.push(await took(known));
    times.unknown.push(await took(`bbbbbb${String(1111 + turn)}`.replaceAll('0', '9')));
  }
  const median = (all: number[]) => all.toSorted((one, other) => one - other)[all.length / 2] ?? 0;
  const [one, other] = [median(times.known), median(times.unknown)];
  expect(Math.abs(one - other) / Math.max(one, other)).toBeLessThan(0.25);
  expect((await school.send({ url: '/c/aaaaaaaaaa' })).status).toBe(404);
  await school.sql(`update attempt set hits = 301 where kind = 'unknown-proof'`);
  expect((await school.send({ url: '/c/aaaaaaaaaa' })).status).toBe(429);
  await school.sql(`delete from attempt where kind = 'unknown-proof'`);
});
