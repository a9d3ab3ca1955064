import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { demoSize, planOf } from '#database/seed/plan.ts';
import { accountApi } from '#features/account/contract/account.ts';
import { contactApi } from '#features/account/contract/contact.ts';
import { reminderDays } from '#features/admission/server/settings.ts';
import { settingApi } from '#features/school/contract/setting.ts';
import { textMessageApi } from '#features/school/contract/text-message.ts';
import { passwordApi } from '#features/sign-in/contract/password.ts';
import { beginSession } from '#features/sign-in/server/session.ts';
import { staffList } from '#features/staff/contract/list.ts';
import { sectionStudentApi } from '#features/student/contract/section-student.ts';
import { tagApi } from '#features/tag/contract/tag.ts';
import { sealAudit } from '#kit/server/security/audit-seal.ts';
import { type Browser, openAccount, openBrowser, type Person } from '#testing/browser.ts';
import { type EmptySchool, emptySchool } from '#testing/empty-school.ts';
import { receive } from '#testing/payments.ts';
import { type Family, openOwnSchool, type School } from '#testing/school.ts';
import { everyFile, everyRow, holdSnapshots, waitingForLock } from '#testing/stored.ts';
import { seedDemo } from '../demo.ts';
import { backUp } from './backup.ts';
import { endedTables, restore } from './restore.ts';

let school: School;
let admin: Person;
let remembered: Browser;
let folder: string;
let place: EmptySchool;
let made: Awaited<ReturnType<typeof backUp>>;
let restored: Awaited<ReturnType<typeof restore>>;

/** Tables that have no rows here, each with the reason. */
const emptyTables: Record<string, string> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shala-whole-'));
  school = await openOwnSchool({}, { url: inject('postgres').url, template: 'template1' });
  await seedDemo(school.app, school.services, { plan: planOf({ ...demoSize, students: 60 }, new Date()) });
  admin = await school.person({ name: 'Hansa Vora', role: 'Admin' });
  remembered = await signInRemembered();
  await fillOtherTables();
});
afterAll(async () => {
  await place?.close();
  await school.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Staff who ticked "Remember me". */
async function signInRemembered(): Promise<Browser> {
  const browser = openBrowser(school);
  const { id } = await openAccount(school, { isAdmin: false, userName: undefined }, 'no password');
  const ctx = school.context();
  const http = { ...ctx.http, setCookie: (name: string, value: string) => void browser.cookies.set(name, value) };
  await beginSession({ ...ctx, http }, { accountId: id, role: 'Staff', method: 'Email', isRemembered: true });
  return browser;
}

/** Adds rows that the demo school lacks: through the pages' operations, and in SQL where no page does it yet. */
async function fillOtherTables() {
  const { sql } = school;
  const family = await school.inquiry();
  const about = { about: 'First name', messageText: 'It is spelt Mira.' };
  const key = { 'idempotency-key': 'whole-school-1' };
  for (const { status, text } of [
    await family.draft('basic-info', { firstName: 'Mira' }),
    await family.post('message-to-school', about, key),
  ]) {
    expect([status, text]).toEqual([200, expect.anything()]);
  }
  await sql(`insert into admission_sibling_code (inquiry_id, parent, salt, expires_at)
    values (${family.id}, 'father', decode(repeat('ab', 16), 'hex'), now() + interval '5 minutes')`);
  await sql(
    `insert into homework_file (homework_id, file_id) select (select min(id) from homework), (select id from file limit 1)`,
  );
  await sql(
    `insert into observation_note_file (note_id, file_id) select (select min(id) from observation_note), (select id from file limit 1)`,
  );
  await sql(`insert into admission_document_waiver (inquiry_id, name, reason)
    values (${family.id}, 'Aadhar Card', 'The office has seen it.')`);
  await sql(`insert into admission_note (inquiry_id, note, staff_id, written_at)
    select ${family.id}, 'Asked for a seat in the morning shift.', min(id), now() from staff`);
  await sql(`with correction as (insert into admission_correction (inquiry_id, pages, staff_id, requested_at, answered_at)
      select ${family.id}, '{1}', min(id), now(), now() from staff returning id)
    insert into admission_remark (inquiry_id, section, field, remark, correction_id)
    select ${family.id}, 'Child', 'firstName', 'As on the certificate.', id from correction`);
  await sql(`insert into admission_document_verdict (document_id, result, staff_id, decided_at)
    select min(document.id), 'Verified', min(staff.id), now() from admission_document document, staff`);
  await sql(`with run as (insert into run (kind, actor, input, total, started_at)
      values ('admission.remind', 'Shala', '{}', 1, now()) returning id)
    insert into run_row (run_id, subject_id, name) select id, ${family.id}, 'Mira' from run`);
  await sql(`with file as (insert into file_import (kind, account_id, heads, names, made_at)
      select '/student/import', min(id), '{Name}', '{firstName}', now() from sign_in_account returning id)
    insert into file_import_line (import_id, line, cells) select id, 2, 'sealed' from file`);
  await sql(`insert into import_word (kind, field, word, choice, used_at)
    values ('/student/import', '', 'std', 'gradeId', now())`);
  await sql(`insert into daily_task (name, day) values ('admission.reminders', current_date)`);
  await sql(`insert into set_up_skip (key, staff_id) select 'staff', min(id) from staff`);
  await sql(`insert into student_skill_evidence (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id,
      skill_id, skill_level_id, noted_on)
    select own.id, student_id, academic_year_id, branch_id, program_id, grade_id, skill.id, level.id, joined_on
    from student_enrollment own join academic_year year on year.id = own.academic_year_id and year.status = 'Current'
    join academic_grade grade on grade.id = own.grade_id
    join configuration_skill skill on grade.stage = any (skill.stages), configuration_skill_level level limit 1`);

  await sql(`insert into announcement_file (announcement_id, file_id, from_version)
    select min(announcement.id), (select id from file limit 1), 1 from announcement`);
  await sql(`insert into data_correction (name) values ('202611261855_aadhaar_digits') on conflict do nothing`);
  await sql(`insert into student_address (student_id) select max(id) from student on conflict do nothing;
    insert into student_schooling (student_id, school) select max(id), 'Sunrise School' from student;
    insert into student_health (student_id, answers) select max(id), 'sealed' from student on conflict do nothing;
    insert into student_document (student_id, document_id, file_id)
      select max(student.id), min(lookup.id), (select id from file limit 1) from student, academic_lookup lookup;
    insert into student_gr_spent (branch_id, gr_no, reason, spent_by)
      select min(id), 'G-SPENT', 'Typed twice', 'Hansa Vora' from academic_branch;
    with made as (
      insert into student_certificate (kind, number, student_id, branch_id, issued_on, facts, made_by)
      select 'Bonafide', 'BC/T/1', max(id), min(branch_id), current_date, '{}', 'Hansa Vora' from student returning id)
    insert into student_certificate_copy (certificate_id, copy_no, reason, printed_by)
      select id, 1, 'Lost', 'Hansa Vora' from made`);
  await sql(`insert into attendance_correction (register_id, student_id, old_code_id, new_code_id, reason)
      select register_id, student_id, code_id, code_id, 'Was present' from attendance_mark limit 1;
    insert into attendance_message (academic_year_id, student_id, day, kind)
      select academic_year_id, student_id, day, 'Absent' from attendance_mark limit 1;
    insert into attendance_call (academic_year_id, student_id, day, outcome, called_by, called_at)
      select academic_year_id, student_id, day, 'Called', (select min(id) from staff), now() from attendance_mark limit 1;
    insert into attendance_twice (academic_year_id, grade_id) select academic_year_id, grade_id from attendance_register limit 1;
    insert into attendance_alert (student_id, first_day, days, told_on) select student_id, day, 3, day from attendance_mark limit 1;
    insert into attendance_gate (academic_year_id, student_id, day, arrived_at, entered_by, entered_at)
      select academic_year_id, student_id, day, '09:20', (select min(id) from staff), now() from attendance_mark limit 1
      on conflict do nothing`);
  await sql(`with plan as (select * from fee_plan order by id limit 1),
      head as (select fee_head_id, receipt_series_id from fee_due order by id limit 1),
      option as (insert into fee_plan_option select plan.id, fee_head_id, 0, 11 from plan, head)
    insert into fee_plan_month select plan.id, fee_head_id, 0, 100 from plan, head`);
  const [due] = await sql('select account_id, receipt_series_id as series from fee_due order by id limit 1');
  const [account, series] = [Number(due?.account_id), Number(due?.series)];
  const receipt = await receive(school, { account, series, day: '2026-06-01', on: [{ due: null, amount: 200 }] });
  await sql(`insert into fee_cash_day values ('g1', '2026-06-01', 100)`);
  await sql(`insert into fee_receipt_print (receipt_id, staff_id) select ${receipt}, min(id) from staff`);
  await sql(`insert into fee_cheque (student_id, kind, number, bank, dated_on, amount, payer_name, status, received_on,
      received_by)
    select max(id), 'Cheque', '100001', 'Bank', '2099-01-01', 100, 'A parent', 'Held', '2026-06-01',
      (select min(id) from staff) from student`);
  await sql(`insert into fee_day_count select min(id), 500, 2 from fee_day where status = 'Open';
    insert into fee_adjustment (account_id, kind, due_id, amount, reason, asked_by)
      select account_id, 'Credit', id, 100, 'Agreed', (select min(id) from staff) from fee_due order by id limit 1;
    insert into fee_refund (account_id, receipt_series_id, amount, reason, mode, payee, asked_by)
      select ${account}, ${series}, 100, 'Left', 'Cheque', 'A parent', min(id) from staff`);
  await sql(`with own as (insert into fee_opening (batch, account_id, academic_year_id, fee_head_id, amount, staff_id)
      select gen_random_uuid(), due.account_id, due.academic_year_id, due.fee_head_id, -100, (select min(id) from staff)
      from fee_due due where fee_head_id is not null order by id limit 1 returning *),
      entry as (insert into fee_ledger_entry (account_id, receipt_series_id, kind, entry_date, due_on, amount, opening_id)
      select own.account_id, head.receipt_series_id, 'Opening', '2026-06-01', '2026-06-01', -100, own.id
      from own join fee_head head on head.id = own.fee_head_id)
    insert into fee_follow_up (account_id, note, promised_on, staff_id)
      select account_id, 'Will pay', '2026-07-01', staff_id from own`);
  await sql(`insert into fee_difference (account_id, ledger, balance, dues, wrong_dues)
    select min(id), 1, 2, 3, 0 from fee_account`);
  await sql(`with made as (insert into fee_reminder (guardian_id, day) select min(id), '2026-06-01' from guardian returning *)
    insert into fee_reminder_child (account_id, day, reminder_id)
      select (select min(id) from fee_account), day, id from made`);
  await sql(`insert into fee_book (closed_until, reason, staff_id) select '2020-03-31', 'Audited', min(id) from staff`);
  await sql(`with place as (
      select inquiry.*, (select min(id) from staff) as staff_id from admission_inquiry inquiry
      where id = ${(await school.inquiry()).id}),
    seat as (
      insert into admission_seat (academic_year_id, branch_id, program_id, grade_id, quota, total)
      select academic_year_id, branch_id, program_id, grade_id, quota, 30 from place
      on conflict on constraint admission_seat_once do update set total = 30 returning id, quota),
    decided as (
      insert into admission_decision (inquiry_id, kind, seat_id, from_state, decided_by, decided_at, released_at, letter)
      select place.id, 'Offer', seat.id, 'Verified', staff_id, now(), now(), '{}' from place, seat),
    paid as (
      insert into admission_payment (inquiry_id, slip_no, amount, mode, paid_on, taken_by, taken_at)
      select id, 'ADM/T/1', 1500000, 'Cash', current_date, staff_id, now() from place)
    update admission_inquiry own set state = 'Seat confirmed', seat_id = seat.id, seat_quota = seat.quota,
      offer_expires_on = current_date from place, seat where own.id = place.id`);
  await sql(
    `insert into transport_reminded (what, subject_id, days, expires_on) values ('document', 1, 30, current_date)`,
  );
  await sql(`with slot as (
      insert into admission_slot (branch_id, academic_year_id, kind, starts_at, ends_at, place, capacity)
      select branch_id, academic_year_id, 'Interaction', now(), now() + interval '20 minutes', 'Office', 1
      from admission_inquiry where id = ${family.id} returning *),
    assessor as (
      insert into admission_slot_assessor (slot_id, starts_at, ends_at, staff_id)
      select slot.id, starts_at, ends_at, (select min(id) from staff) from slot),
    own as (
      insert into admission_interaction (inquiry_id, slot_id, starts_at, ends_at, kind, status)
      select ${family.id}, id, starts_at, ends_at, kind, 'Came' from slot returning *)
    insert into admission_outcome (interaction_id, kind, staff_id, recommendation, written_at)
    select id, kind, (select min(id) from staff), 'Recommended', now() from own`);
  await sql(`with adult as (select min(guardian_id) as id from student_guardian where role = 'Parent'),
      made as (
        insert into family_link (guardian_id, version, key_id, link_hash, short_hash, sent_at, expires_at)
        select id, 1, 'link1', 'a', 'b', now(), now() + interval '1 day' from adult on conflict do nothing)
    insert into family_opening (guardian_id, day, times) select id, current_date, 1 from adult on conflict do nothing`);
  await sql(`with rated as (
      insert into observation_note (group_id, type_id, enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id,
        observed_at, polarity, note, reach, rubric_version_id, scale_id, author_id, published_at, locks_at, changed_at)
      select note.group_id, type.id, enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, observed_at,
        polarity, 'Took turns.', 'All teachers', version.id, version.scale_id, author_id, note.published_at, locks_at, changed_at
      from observation_note note, observation_type type
      join observation_rubric_version version on version.rubric_id = type.rubric_id and version.state = 'Published'
      where type.for_whom = 'Student' order by note.id limit 1 returning *)
    insert into observation_note_rating (note_id, version_id, indicator_id, level_id, scale_id)
    select rated.id, rated.rubric_version_id, indicator.id, level.id, rated.scale_id
    from rated join observation_indicator indicator on indicator.version_id = rated.rubric_version_id
    join observation_level level on level.scale_id = rated.scale_id order by 3, 4 limit 1;
    insert into observation_draft (author_id, answers, changed_at) select min(id), 'sealed', now() from staff;
    with rubric as (insert into observation_rubric (name, for_whom) values ('Draft', 'Student') returning id),
      version as (insert into observation_rubric_version (rubric_id, number, scale_id)
        select rubric.id, 1, min(scale.id) from rubric, observation_scale scale group by rubric.id returning id, scale_id),
      domain as (insert into observation_domain (version_id, position, name) select id, 1, 'Care' from version returning id, version_id),
      indicator as (insert into observation_indicator (domain_id, version_id, position, text)
        select id, version_id, 1, 'Keeps order.' from domain returning id, version_id)
    insert into observation_descriptor (indicator_id, version_id, level_id, scale_id, text)
      select indicator.id, version_id, min(level.id), version.scale_id, 'Books stand in line.'
      from indicator, version join observation_level level on level.scale_id = version.scale_id
      group by indicator.id, version_id, version.scale_id`);
  const [merged, into] = await sql(`select id, version from configuration_tag where name in ('Music', 'Sports')
    order by name`);
  const { id, version } = merged as { id: number; version: number };
  await admin.call(tagApi.merge, { id, version, intoId: Number(into?.id) });

  const [enrolled] = await sql(`select own.id, own.academic_year_id, own.grade_id, next.id as next_id
    from student_enrollment own join academic_year next on next.status = 'Planned'
    join academic_year year on year.id = own.academic_year_id and year.status = 'Current'
    join academic_grade grade on grade.id = own.grade_id where own.status = 'Active' order by grade.position, own.id limit 1`);
  await admin.call(sectionStudentApi.promote, {
    academicYearId: Number(enrolled?.academic_year_id),
    gradeId: Number(enrolled?.grade_id),
    toYearId: Number(enrolled?.next_id),
    keepsSection: true,
    students: [{ enrollmentId: Number(enrolled?.id), decision: 'Promote' }],
  });

  await admin.call(textMessageApi.save, {
    kind: 'sign-in-code',
    registeredText: '{#var#} is your code.',
    templateId: '1107160000000012345',
    rowVersion: null,
  });
  await admin.call(settingApi.save, { key: reminderDays.key, value: [3, 7], rowVersion: 0 });
  await admin.call(staffList.api.saveView, { name: 'Teachers', isShared: true, address: {}, columns: ['name'] });

  await addWhatRulesNowRefuse();
  const nobody = openBrowser(school);
  const asked = { AuthenicateUserBy: 'Email', EmailID: 'office@sunrise.example' };
  await nobody.send({ method: 'POST', url: '/api/sign-in/authenticate-user', body: asked });
  await nobody.call(passwordApi.sendReset, { email: 'admin@sunrise.example' });
  const staff = await school.person({ sets: ['office'], branchIds: [1] });
  await staff.call(contactApi.sendEmailCode, { email: 'new.address@sunrise.example' });
  await sealAudit(school.services);
}

/**
 * Rows that were valid when they were written: those of a year closed since, a tag for other records since, an older
 * name.
 */
async function addWhatRulesNowRefuse() {
  const { sql } = school;
  // From before names of years had to have this form, which the database requires of later ones only.
  const [form] = await sql(`select pg_get_constraintdef(oid) as definition from pg_constraint
    where conname = 'academic_year_name_form'`);
  expect(form?.definition).toContain('NOT VALID');
  await sql('alter table academic_year drop constraint academic_year_name_form');
  // Only an open year can be renamed.
  await sql(`update academic_year set name = 'Session before', status = 'Planned' where status = 'Closed'`);
  await sql(`update academic_year set status = 'Closed' where name = 'Session before'`);
  await sql(`alter table academic_year add constraint academic_year_name_form ${form?.definition}`);
  await sql(`update configuration_tag set scopes = array['Admission'] where name = 'Sports'`);
}

test('W3 J6 the whole school has rows in every table', async () => {
  const rows = await everyRow(school.sql);
  const empty = Object.keys(rows).filter((name) => rows[name]?.length === 0);
  expect(empty.filter((name) => !emptyTables[name])).toEqual([]);
});

type Stored = Record<'documentName' | 'studentAdmissionDocumentsID', unknown>;

/** A family that saves, uploads and removes files, and an Admin who changes an account, until they are stopped. */
function startWork(families: Family[], accountId: number) {
  let isDone = false;
  let answers = 0;
  const refusals: string[] = [];
  const answered = ({ status, text }: { status: number; text: string }) => {
    answers++;
    if (status !== 200) refusals.push(text);
  };
  const ofFamily = async (family: Family) => {
    answered(await family.upload('Aadhar Card'));
    // Fewer uploads than an inquiry's hourly limit.
    for (let turn = 0; turn < 14 && !isDone; turn++) {
      answered(await family.saveBasicInfo());
      const uploaded = await family.upload('Birth Certificate');
      answered(uploaded);
      const stored: Stored[] = uploaded.json.data.resultList;
      const birth = stored.find(({ documentName }) => documentName === 'Birth Certificate');
      answered(await family.remove(`documents/${birth?.studentAdmissionDocumentsID}`));
    }
  };
  const ofAdmin = async () => {
    for (let version = 1; !isDone; version++) {
      const changed = { version, isActive: version % 2 === 0, isStaff: true, sets: ['office'] };
      const url = `/api${accountApi.update.path.replace(':id', String(accountId))}`;
      answered(await admin.send({ method: 'PUT', url, body: changed }));
    }
  };
  const work = Promise.all([...families.map(ofFamily), ofAdmin()]);
  return {
    answers: () => answers,
    refusals,
    stop: async () => {
      isDone = true;
      await work;
    },
  };
}

test('W3 J6 a backup of the whole school, made while families and staff work, is restored table by table and file by file', async () => {
  const families = [await school.inquiry(), await school.inquiry()];
  const account = await openAccount(school, { isAdmin: false, userName: undefined }, 'no password');
  const path = join(folder, 'whole.backup');
  const [rowsBefore, filesBefore] = [await everyRow(school.sql), everyFile(school.config)];

  const work = startWork(families, account.id);
  const held = await holdSnapshots(school);
  const backup = backUp(school.config, path);
  await expect.poll(() => waitingForLock(school, 'ShareLock')).toBe(1);
  // The first files are copied; these changes happen before the tables are.
  const done = work.answers();
  await expect.poll(work.answers).toBeGreaterThan(done + 8);
  await held.letGo();
  made = await backup;
  await work.stop();
  expect(work.refusals).toEqual([]);
  expect(made.lost).toEqual([]);

  place = await emptySchool(school.config);
  restored = await restore(place.config, path);
  expect([restored.tables, restored.files]).toEqual([made.tables, made.files]);

  const [rowsAfter, filesAfter] = [await everyRow(school.sql), everyFile(school.config)];
  const rows = await everyRow(place.sql);
  const isSame = (name: string) => digest(rowsBefore[name]) === digest(rowsAfter[name]);
  const changed = Object.keys(rowsAfter).filter((name) => !isSame(name));
  expect(changed).toEqual(
    expect.arrayContaining(['admission_basic_info', 'admission_document', 'audit', 'file', 'sign_in_account']),
  );
  for (const name of Object.keys(rowsAfter).filter((table) => ![...changed, ...endedTables].includes(table))) {
    expect([name, digest(rows[name])]).toEqual([name, digest(rowsAfter[name])]);
  }
  // Everything audited until then is there, and nothing else but the restore itself.
  const told = (rows.audit ?? []).filter(({ row }) => !String(row).includes('backup.restored'));
  const inSchool = new Set(rowsAfter.audit?.map(({ row }) => row));
  expect(told.length).toBeGreaterThan(rowsBefore.audit?.length ?? 0);
  expect(told.filter(({ row }) => !inSchool.has(row))).toEqual([]);

  const stored = everyFile(place.config);
  const named = await place.sql('select id::text from file order by id');
  expect(Object.keys(stored)).toEqual(named.map(({ id }) => `${String(id).slice(0, 2)}/${id}`));
  for (const [name, bytes] of Object.entries(stored)) {
    const known = filesBefore[name] ?? filesAfter[name];
    if (known) expect([name, bytes === known]).toEqual([name, true]);
  }
});

test('W9 A18 after a restore the cookies of an Admin and of remembered Staff open nothing any more', async () => {
  const cookies = [admin, remembered].map(({ cookies }) => ({
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  }));
  for (const headers of cookies) {
    expect((await school.send({ url: '/api/sign-in/me', headers })).status).toBe(200);
    expect((await place.get('/api/sign-in/me', headers)).status).toBe(401);
  }
});

/** Accounts, their branches and requests for accounts sign nobody in by themselves. */
const keptTables = ['sign_in_account', 'sign_in_account_branch', 'sign_in_request'];

test('W9 a restore empties every table of signing in but accounts and requests for one', async () => {
  const [before, restored] = [await everyRow(school.sql), await everyRow(place.sql)];
  const tables = Object.keys(before).filter((name) => name.startsWith('sign_in_') && !keptTables.includes(name));
  expect(tables.sort()).toEqual([...endedTables].sort());
  for (const name of tables) expect([name, before[name]?.length === 0, restored[name]]).toEqual([name, false, []]);
  for (const name of keptTables) expect([name, restored[name]?.length]).toEqual([name, before[name]?.length]);
  // Messages whose code or link was ended send nothing, and do not block others.
  expect((await place.get('/dev/outbox')).status).toBe(200);
});

test('H4 the restored audit log ends in the seal that the archive names', async () => {
  const [last] = await school.sql(`select number::integer, encode(seal, 'hex') as seal from audit_seal
    order by number desc limit 1`);
  expect(made.audit).toEqual({ sealed: last?.number, head: last?.seal });
  expect(restored.audit).toEqual(made.audit);
});

const digest = (rows: unknown) => createHash('sha256').update(JSON.stringify(rows)).digest('hex');
