import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { gradeMaster, houseMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import { linkDays } from '#features/admission-form/server/settings.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { separationReasonMaster } from '#features/hris/contract/masters.ts';
import { settingApi } from '#features/school/contract/setting.ts';
import { messages } from '#features/sign-in/server/messages.ts';
import { reportedActs } from '#features/sign-in/server/reported-act.ts';
import { refsOf } from '#kit/contract/field.ts';
import type { Master } from '#kit/contract/master.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { english } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { render } from '#kit/server/messages/outbox.ts';
import { mostTaken, mostUnproved } from '#kit/server/security/taken-names.ts';
import { confirmSeat, plantWaiting } from '#testing/admission.ts';
import { plantAnnouncement } from '#testing/announcements.ts';
import type { Person } from '#testing/browser.ts';
import type { Answer } from '#testing/exchange.ts';
import { contentsOf } from '#testing/failing.ts';
import { openFamilyPage } from '#testing/family.ts';
import { plantMissing } from '#testing/homework.ts';
import { create, plant } from '#testing/masters.ts';
import { matrix } from '#testing/matrix.ts';
import { receive } from '#testing/payments.ts';
import { form, openSchool, photo, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { enroll, type Place } from '#testing/students.ts';
import { openSection } from '#testing/teachers.ts';
import { plantTicket } from '#testing/tickets.ts';
import { addRiders, openFleet } from '#testing/transport.ts';
import { allMasters } from './features.server.ts';
import { allRoutes } from './server.ts';

let school: School;
let admin: Person;
let other: Person;
/** Exports what no Admin may. */
let office: Person;
let incharge: Person;
let principal: Person;
let here: Place & { sectionId: number; toYearId: number };
let enrollmentId: number;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin', name: 'Asha' });
  other = await school.person({ role: 'Admin', name: 'Bela' });
  office = await school.person({ name: 'Meena', sets: ['office'] });
  incharge = await school.person({ name: 'Ramesh', sets: ['transportIncharge'] });
  principal = await school.person({ name: 'Mina', sets: ['principal'] });
  await school.sql(`insert into staff (name, employee_number) values ('Chhaya', 'C1')`);
  const { id, academicYearId, branchId, programId, gradeId } = (await create(
    admin,
    sectionMaster,
  )) as unknown as Place & { id: number };
  const next = await plant(school, gradeMaster);
  await school.sql(`update academic_grade set next_grade_id = ${next.id} where id = ${gradeId}`);
  here = {
    academicYearId,
    branchId,
    programId,
    gradeId,
    sectionId: id,
    toYearId: (await plant(school, yearMaster)).id,
  };
  enrollmentId = await enroll(school, here, 'Diya');
  await school.sql(`insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id,
      grade_id, section_id, roll_no, effective_from)
    select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${id}, 7, joined_on
    from student_enrollment where id = ${enrollmentId}`);
});
beforeEach(() =>
  school.sql('delete from attempt; delete from outbox; update sign_in_session set confirmed_at = now()'),
);
afterAll(() => school.close());

const age = (seconds: number) =>
  school.sql(`update sign_in_session set confirmed_at = now() - interval '${seconds} seconds'`);
/** The waiting messages, rendered. */
async function told() {
  const rows = await school.sql(
    `select template, recipient, subject_id from outbox where status = 'queued' order by id`,
  );
  return Promise.all(
    rows.map(async ({ template, recipient, subject_id }) => {
      const made = messages[String(template)];
      return { recipient, ...(made && (await render(school.services, made, Number(subject_id)))) };
    }),
  );
}

const send = (method: 'POST' | 'PUT' | 'DELETE', url: string, body: object) =>
  admin.send({ method, url: `/api${url}`, body });

/** Each act that is reported to the other Admins: prepares one, and returns the call that does it. */
const acts: Record<string, () => Promise<() => Promise<Answer>>> = {
  'POST /academic/year/:id/make-current': async () => {
    const { id, version } = await plant(school, yearMaster);
    return () => send('POST', `/academic/year/${id}/make-current`, { version });
  },
  'POST /academic/year/:id/roll-over': async () => {
    const { id } = await plant(school, yearMaster);
    const days = { startsOn: '2290-06-01', endsOn: '2291-05-31', ageCutoffOn: '2290-06-01' };
    const body = { name: '2290-91', ...days, parts: 'Terms' };
    const { json } = await send('POST', `/academic/year/${id}/roll-over`, body);
    return () => send('POST', `/academic/year/${id}/roll-over`, { ...body, confirmToken: json.confirmToken });
  },
  'POST /academic/year/:id/discard': async () => {
    const { id, version } = await plant(school, yearMaster);
    return () => send('POST', `/academic/year/${id}/discard`, { version });
  },
  'DELETE /academic/year/:id': async () => {
    const { id, version } = await plant(school, yearMaster);
    return () => send('DELETE', `/academic/year/${id}`, { version });
  },
  'POST /academic/section-student/promotion': async () => {
    const { academicYearId, gradeId, toYearId } = here;
    const students = [
      { enrollmentId: await enroll(school, here, 'Esha'), decision: 'Promote' },
      { enrollmentId: await enroll(school, here, 'Farah'), decision: 'Leave' },
    ];
    const body = { academicYearId, gradeId, toYearId, keepsSection: false, students };
    const { json } = await send('POST', '/academic/section-student/promotion', body);
    const confirmed = { ...body, confirmToken: json.confirmToken };
    return () => send('POST', '/academic/section-student/promotion', confirmed);
  },
  'POST /academic/section-student/promoted/:id/undo': async () => {
    await (await acts['POST /academic/section-student/promotion']?.())?.();
    const [row] = await school.sql('select max(id) as id from academic_promotion');
    const path = `/academic/section-student/promoted/${row?.id}/undo`;
    const { json } = await send('POST', path, {});
    return () => send('POST', path, { confirmToken: json.confirmToken });
  },
  'PUT /academic/school': async () => {
    const { json } = await admin.send({ url: '/api/academic/school' });
    return () => send('PUT', '/academic/school', { ...json, email: 'thief@example.com' });
  },
  'PUT /academic/setting/:key': async () => {
    const { rows } = await admin.call(settingApi.list, {});
    const rowVersion = rows.find(({ key }) => key === linkDays.key)?.rowVersion;
    return () => send('PUT', `/academic/setting/${linkDays.key}`, { value: 30, rowVersion });
  },
  'POST /academic/school/signature': async () => {
    const signature = await photo();
    return () => send('POST', '/academic/school/signature', form({}, { signature }));
  },
  'POST /staff/:id/relieve': async () => {
    const { staffId } = await school.person();
    const reason = await plant(school, separationReasonMaster);
    const body = { lastDay: toLocalDate(new Date()), separationReasonId: reason.id };
    const { json } = await send('POST', `/staff/${staffId}/relieve`, body);
    return () => send('POST', `/staff/${staffId}/relieve`, { ...body, confirmToken: json.confirmToken });
  },
  'DELETE /academic/school/signature': async () => {
    await send('POST', '/academic/school/signature', form({}, { signature: await photo() }));
    return () => send('DELETE', '/academic/school/signature', {});
  },
};

const reported = allRoutes.map(({ endpoint }) => endpoint).filter(({ isReported }) => isReported);

test('W11 A24 the acts of which the other Admins are told are these, and each needs a fresh proof', () => {
  expect(reported.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(Object.keys(acts).sort());
  // A reported act is reported in its own transaction.
  for (const { method, isConfirmed, ownTransactions } of reported)
    expect([isConfirmed, method === 'GET', ownTransactions]).toEqual([true, false, undefined]);
});

describe.each(Object.entries(acts))('W11 A24 %s', (_name, begin) => {
  test('is refused ten minutes after the last proof, and after a new one it is done and told to the other Admins', async () => {
    const act = await begin();
    await school.sql('delete from outbox');
    await age(601);
    const { sign_in_session: _, attempt: __, ...before } = await contentsOf(school);
    const refused = await act();
    expect([refused.status, refused.json.error.code]).toEqual([403, 'confirm_required']);
    expect(await contentsOf(school)).toMatchObject(before);
    expect(await told()).toEqual([]);

    await age(0);
    const [last] = await school.sql('select max(id) as id from audit');
    expect((await act()).status).toBe(200);
    const [row] = await school.sql(`select id, action from audit where id > ${last?.id} order by id limit 1`);
    const what = reportedActs[String(row?.action)];
    if (!what) throw new Error(`No words for ${row?.action}.`);
    expect(await told()).toEqual([
      {
        recipient: other.email,
        subject: `Asha: ${english(what)}`,
        text: expect.stringContaining(`Audit log entry: ${row?.id}`),
      },
    ]);
  });
});

test('W11 a report says who did what, to how many and when, and names no child', async () => {
  const begin = acts['POST /academic/section-student/promotion'];
  expect((await (await begin?.())?.())?.status).toBe(200);
  const [message] = await told();
  expect(message?.text).toMatch(
    /^User: Asha \(Admin\)\n\nAction: Recorded the year-end decision\n\nRecords: 2\n\nTime: \d+ \w{3} \d{4}, \d+:\d\d [ap]m\n\nAudit log entry: \d+\n/,
  );
  expect(message?.text).not.toMatch(/Esha|Farah/);
});

test('W11 a trial of a roll-over, and an act that changes nothing, are not reported', async () => {
  await acts['POST /academic/year/:id/roll-over']?.();
  expect(await told()).toEqual([]);
  const { json } = await admin.send({ url: '/api/academic/school' });
  expect((await send('PUT', '/academic/school', json)).status).toBe(200);
  expect(await told()).toEqual([]);
});

/** Files that hold one record's own picture or document, not a list. */
const single =
  /picture|\/student\/photo\/|signature|logo|\/admission\/files|\/document\/:document\/file|own-data|\/(?:review|ticket|homework|observation-note)\/:id\/file|\/observation-visit\/:id\/paper$|\/fee\/receipt\/:id\/file$|\/slip$|\/admission\/print|\/report\/\w+\/:id\/paper$|\/process\/:id\/letter$|\/admission-news\/letter$/;
const looked = () =>
  `academicYearId=${here.academicYearId}&gradeId=${here.gradeId}&sectionId=${here.sectionId}&on=&as=csv`;

/** The fields of a master that name people. */
const peopleIn = (master: Master) => refsOf(master).filter(([, { to }]) => to !== 'self' && to.isPeople);

/** Each export that names people: prepares its rows, and returns its address. */
/** A child and a member of staff who ride on a trip and ask for another stop. */
async function plantRides() {
  const [child] = await addRiders(school, await pupil(), 1);
  const { pickup, stops } = await openFleet(school, { seats: 3 });
  for (const [column, id] of [
    ['student_id', child],
    ['staff_id', incharge.staffId],
  ]) {
    await school.sql(`insert into transport_assignment (${column}, pickup_trip_id, pickup_stop_id, effective_from, billed_from, fee)
      values (${id}, ${pickup.trip}, ${stops[0]}, current_date, current_date, 'Free') on conflict do nothing`);
    await school.sql(`insert into transport_stop_change (request_no, ${column}, action, effective_from, reason, requested_by, requested_at)
      values ('SC${id}${column}', ${id}, 'Stop', current_date + 9, 'Moved', ${incharge.staffId}, now()) on conflict do nothing`);
  }
  return pickup.trip;
}

/** A debit that is owed, a correction of it, and a refund of advance. */
async function plantCorrections() {
  if ((await school.sql('select id from fee_refund limit 1')).length > 0) return;
  await school.sql(`insert into fee_account (student_id) select id from student on conflict do nothing;
    insert into fee_receipt_series (name, short_name) values ('Main', 'MAIN');
    with own as (select account.id, (select min(id) from fee_receipt_series) as series from fee_account account
        where student_id is not null order by id desc limit 1),
      due as (insert into fee_due (account_id, kind, receipt_series_id, gst_rate, label, due_on)
        select id, 'Extra', series, 0, 'Lost book', '2026-06-01' from own returning *)
      insert into fee_adjustment (account_id, kind, due_id, amount, reason, status, done_on, asked_by)
      select account_id, 'Debit', id, 100, 'Lost', 'Done', '2026-06-01', (select min(id) from staff) from due;
    insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount, adjustment_id)
      select due.account_id, due.id, due.receipt_series_id, 'Debit', due.due_on, due.due_on, 100, own.id
      from fee_adjustment own join fee_due due on due.id = own.due_id`);
  const [account] = await school.sql(
    'select account_id as id, receipt_series_id as series from fee_due order by id desc limit 1',
  );
  const to = { account: Number(account?.id), series: Number(account?.series) };
  await receive(school, { ...to, day: '2026-06-01', on: [{ due: null, amount: 100 }] });
  await school.sql(`insert into fee_refund (account_id, receipt_series_id, amount, reason, mode, payee, asked_by)
    select ${to.account}, ${to.series}, 100, 'Left', 'Cheque', 'A parent', min(id) from staff`);
}

const exportsOfNames: Record<string, () => Promise<string>> = {
  'GET /family-link/export': async () => {
    await openThisYear();
    await openFamilyPage(school);
    return '/family-link/export?as=csv&tab=all';
  },
  'GET /homework/missing/export': async () => {
    await openThisYear();
    await plantMissing(school);
    return '/homework/missing/export?as=csv';
  },
  'GET /transport/rider/export': async () => {
    await plantRides();
    return '/transport/rider/export?as=csv&tab=all';
  },
  'GET /transport/trip/:id/manifest': async () =>
    `/transport/trip/${await plantRides()}/manifest?day=${toLocalDate(new Date())}`,
  ...Object.fromEntries(
    ['student', 'staff'].map((word) => [
      `GET /transport/${word}-stop-change/export`,
      async () => {
        await plantRides();
        return `/transport/${word}-stop-change/export?as=csv`;
      },
    ]),
  ),
  ...Object.fromEntries(
    ['by-me', 'to-me'].map((list) => [
      `GET /ticket/${list}/export`,
      async () => {
        await plantTicket(school, office.staffId);
        return `/ticket/${list}/export?as=csv`;
      },
    ]),
  ),
  ...Object.fromEntries(
    allMasters
      .filter((master) => peopleIn(master).length > 0)
      .map((master) => [
        `GET ${master.path}/export`,
        async () => {
          const person = await staffId();
          await plant(school, master, Object.fromEntries(peopleIn(master).map(([name]) => [name, person])));
          return `${master.path}/export?as=csv`;
        },
      ]),
  ),
  'GET /academic/section-student/export': async () => `/academic/section-student/export?${looked()}&what=list`,
  'GET /academic/section-student/promoted/:id': async () => {
    await (await acts['POST /academic/section-student/promotion']?.())?.();
    const [row] = await school.sql('select max(id) as id from academic_promotion');
    return `/academic/section-student/promoted/${row?.id}`;
  },
  'GET /academic/section-teacher/export': async () => {
    await school.sql(`insert into academic_section_teacher (academic_year_id, branch_id, program_id, grade_id, section_id, staff_id, role, effective_from)
      select year.id, ${here.branchId}, ${here.programId}, ${here.gradeId}, ${here.sectionId}, (select min(id) from staff), 'Class teacher', starts_on
      from academic_year year where id = ${here.academicYearId} on conflict do nothing`);
    return `/academic/section-teacher/export?${looked()}&staffId=`;
  },
  'GET /observation-visit/export': async () => {
    await school.sql(`with scale as (insert into observation_scale (name) values ('Lesson') on conflict (lower(name)) do update
          set name = excluded.name returning id),
        rubric as (insert into observation_rubric (name, for_whom) values ('Lesson', 'Staff')
          on conflict (for_whom, lower(name)) do update set name = excluded.name returning id),
        version as (insert into observation_rubric_version (rubric_id, number, scale_id) select rubric.id, 1, scale.id
          from rubric, scale on conflict (rubric_id, number) do update set number = excluded.number returning id, scale_id),
        type as (insert into observation_type (name, for_whom, kind, rubric_id) select 'Lesson', 'Staff', 'Rubric', id from rubric
          on conflict (for_whom, lower(name)) do update set name = excluded.name returning id)
      insert into observation_visit (observed_id, observer_id, type_id, rubric_version_id, scale_id, kind, scheduled_at)
        select ${incharge.staffId}, ${principal.staffId}, type.id, version.id, version.scale_id, 'Peer', now() from version, type`);
    return '/observation-visit/export?as=csv&tab=all';
  },
  'GET /observation-note/export': async () => {
    await pupil();
    await school.sql(`with type as (insert into observation_type (name, for_whom, kind) values ('Note', 'Student', 'Anecdotal')
        on conflict (for_whom, lower(name)) do update set name = excluded.name returning id)
      insert into observation_note (group_id, type_id, enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id,
        observed_at, polarity, note, reach, author_id, published_at, locks_at, changed_at)
      select gen_random_uuid(), type.id, own.id, student_id, academic_year_id, branch_id, program_id, grade_id,
        joined_on, 'Neutral', 'Read aloud.', 'Class teachers', (select staff_id from sign_in_account where id = ${principal.id}),
        now(), now(), now()
      from type, student_enrollment own where own.is_standing and joined_on < current_date limit 1`);
    return '/observation-note/export?as=csv&tab=all';
  },
  'GET /attendance/leave/export': async () => {
    await pupil();
    await school.sql(`insert into attendance_leave (academic_year_id, student_id, from_day, to_day, kind, state, halves, counted,
        noted_by, noted_at)
      select academic_year_id, student_id, joined_on, joined_on, 'Family', 'Granted', 2, 2, (select min(id) from staff), now()
      from student_enrollment where student_id = (select max(student_id) from student_section) on conflict do nothing`);
    return '/attendance/leave/export?as=csv&tab=all';
  },
  'GET /announcement/:id/receipt/export': async () => {
    await pupil();
    const [child] = await school.sql('select max(student_id) as id from student_section');
    const { id } = await plantAnnouncement(school, { studentId: Number(child?.id) });
    return `/announcement/${id}/receipt/export?as=csv`;
  },
  'GET /approval/export': async () => {
    await school.sql(`with structure as (insert into fee_structure (name, academic_year_id, branch_id, program_id, admission_type, edited_by)
        select 'Prices', ${here.academicYearId}, ${here.branchId}, ${here.programId}, 'All students', min(id) from staff returning id, edited_by)
      insert into approval (kind, fee_structure_id, title, requested_by, requested_at)
      select 'fee.structure', id, '{"id": "Prices"}', (select staff_id from sign_in_account where id = ${office.id}), now() from structure`);
    return '/approval/export?as=csv&tab=own';
  },
  'GET /fee/plan/export': async () => {
    await pupil();
    return '/fee/plan/export?as=csv&tab=all';
  },
  'GET /fee/student/export': async () => {
    await pupil();
    await school.sql('insert into fee_account (student_id) select id from student on conflict do nothing');
    return '/fee/student/export?as=csv&tab=all';
  },
  'GET /fee/adjustment/export': async () => {
    await pupil();
    await plantCorrections();
    return '/fee/adjustment/export?as=csv&tab=all';
  },
  'GET /fee/cheque/export': async () => {
    await pupil();
    await school.sql(`insert into fee_cheque (student_id, kind, number, bank, dated_on, amount, payer_name, status, received_on,
        received_by)
      select max(id), 'Cheque', '100001', 'Bank', '2099-01-01', 100, 'A parent', 'Held', '2026-06-01',
        (select min(id) from staff) from student on conflict do nothing`);
    return '/fee/cheque/export?as=csv&tab=all';
  },
  'POST /fee/demand': async () => {
    await pupil();
    await plantCorrections();
    return '/fee/demand';
  },
  'GET /fee/refund/export': async () => {
    await pupil();
    await plantCorrections();
    return '/fee/refund/export?as=csv&tab=all';
  },
  'GET /fee/report/export': async () => {
    await pupil();
    await plantCorrections();
    return '/fee/report/export?as=csv&kind=Ageing&from=2026-04-01&to=2026-06-30';
  },
  'GET /fee/concession/export': async () => {
    await pupil();
    await school.sql(`with discount as (insert into fee_discount (name, code, value_kind, percent, all_heads, eligibility, priority,
        needs_approval) values ('Merit', 'M', 'Percent', 1000, true, 'Merit', 1, false) returning id)
      insert into fee_concession (student_id, academic_year_id, discount_id, source, percent, effective_from, effective_to, status)
      select student_id, academic_year_id, discount.id, 'Suggested', 1000, '2026-04-01', '2027-03-31', 'Suggested'
      from student_enrollment, discount where is_standing`);
    return '/fee/concession/export?as=csv';
  },
  'POST /staff/id-card': async () => '/staff/id-card',
  'GET /staff/export': async () => '/staff/export?as=csv',
  'GET /report/student/export': async () => {
    await pupil();
    return '/report/student/export?as=csv&tab=all';
  },
  'POST /report/student/section-paper': async () => {
    await pupil();
    return '/report/student/section-paper';
  },
  'GET /report/staff/export': async () => '/report/staff/export?as=csv&tab=all',
  'GET /student/export': async () => '/student/export?as=csv&tab=all',
  'POST /student/field-export': async () => {
    await pupil();
    return '/student/field-export';
  },
  'POST /student/id-card': async () => {
    await pupil();
    return '/student/id-card';
  },
  'GET /attendance/month/file': async () => `/attendance/month/file?sectionId=${await pupil()}&month=&as=csv`,
  'GET /student/class-list': async () => `/student/class-list?sectionId=${await pupil()}`,
  'GET /student/:id/certificate/:certificate/file': async () => {
    const facts = JSON.stringify({ name: 'Diya Shah', birthDate: '2019-01-01', admittedOn: '2026-06-01', lastDay: '' });
    const [made] =
      await school.sql(`insert into student_certificate (kind, number, student_id, branch_id, issued_on, facts,
        made_by)
      select 'Bonafide', 'BC/1', student_id, branch_id, current_date, '${facts}', 'Meena'
      from student_enrollment where id = ${enrollmentId} returning id, student_id as student`);
    return `/student/${made?.student}/certificate/${made?.id}/file`;
  },
  'GET /inquiry/export': async () => {
    await school.inquiry();
    return '/inquiry/export?as=csv&tab=all';
  },
  'GET /review/export': async () => {
    await submitted();
    return '/review/export?as=csv&tab=all';
  },
  'GET /admission-account/export': async () => {
    await confirmSeat(school, await openSection(school));
    return '/admission-account/export?as=csv&tab=toCreate';
  },
  'GET /process/export': async () => {
    await school.sql(`update admission_inquiry set state = 'Verified' where id = ${(await school.inquiry()).id}`);
    return '/process/export?as=csv&tab=all';
  },
  ...Object.fromEntries(
    ['merit', 'waiting'].map((list) => [
      `GET /process/export/${list}`,
      async () => `/process/export/${list}?as=csv&seatId=${(await plantWaiting(school)).seatId}`,
    ]),
  ),
  'GET /process/export/calls': async () => {
    await plantWaiting(school);
    return `/process/export/calls?as=csv&day=${toLocalDate(new Date())}`;
  },
  'POST /process/letters': async () => {
    await plantWaiting(school);
    return '/process/letters';
  },
  'GET /review/:id/print': async () => `/review/${await submitted()}/print`,
  'GET /run/:id/result': async () => {
    const [row] = await school.sql(`with run as (
        insert into run (kind, account_id, actor, input, total, started_at, finished_at)
        values ('admission.remind', ${office.id}, 'Office', '{}', 1, now(), now()) returning id),
      row as (insert into run_row (run_id, subject_id, name, status) select id, 1, 'Diya', 'Done' from run)
      select id from run`);
    return `/run/${row?.id}/result`;
  },
  'GET /audit/export': async () => '/audit/export?action=academic-section.created',
};
async function submitted() {
  const family = await school.inquiry();
  await family.fillAll();
  await family.submit();
  return family.id;
}
/** An act above has made another year current, which closed this one. */
const openThisYear = () =>
  school.sql(`update academic_year set status = 'Planned' where status = 'Current';
    update academic_year set status = 'Current' where current_date between starts_on and ends_on`);
let latestSection = 0;
/** Seats a pupil in a new section, and returns the section. */
async function pupil() {
  await openThisYear();
  const section = await openSection(school);
  await seat(school, section, 'Nisha');
  latestSection = section;
  return section;
}
const staffId = async () => Number((await school.sql(`select id from staff where name = 'Chhaya'`))[0]?.id);

const exported = allRoutes
  .map(({ endpoint }) => endpoint)
  // The files of an import hold what the user sent, or nothing.
  .filter(({ output, path }) => output === servedFile && !single.test(path) && !path.includes('/import/'))
  .map(({ method, path }) => `${method} ${path}`);
const withoutNames = exported.filter((name) => !(name in exportsOfNames));

test('W11 G3 each export either names people and is counted below, or is that of records without people', () => {
  expect(Object.keys(exportsOfNames).filter((name) => !exported.includes(name))).toEqual([]);
  const others = allMasters
    .filter((master) => peopleIn(master).length === 0)
    .map(({ path }) => `GET ${path}/export`)
    .concat(Object.keys(matrix).filter((name) => matrix[name]?.isNameless));
  expect(withoutNames.sort()).toEqual(others.sort());
});

const count = async (who = admin) =>
  Number(
    (await school.sql(`select hits from attempt where kind = 'taken-names' and subject = '${who.id}'`))[0]?.hits ?? 0,
  );
const setCount = (hits: number, who = admin) =>
  school.sql(`insert into attempt (kind, subject, hits, window_ends) values ('taken-names', '${who.id}', ${hits}, now() + interval '1 hour')
    on conflict (kind, subject) do update set hits = excluded.hits, window_ends = excluded.window_ends`);

describe.each(Object.entries(exportsOfNames))('W11 A24 G3 %s', (name, begin) => {
  test('needs no proof below 500 names an hour, and above asks for one and tells the other Admins', async () => {
    const url = `/api${await begin()}`;
    await school.sql('delete from outbox');
    const all = { isAll: true };
    const body = /\/student\/|\/fee\/demand/.test(name)
      ? { ...all, selection: all, as: 'csv', columns: ['name'], sectionId: latestSection, cards: ['enrollment'] }
      : name.includes('/process/')
        ? { isAll: true, query: { tab: 'all' } }
        : { ids: [admin.staffId] };
    const keeper = /transport/.test(name) ? incharge : /observation-note|merit/.test(name) ? principal : admin;
    const who =
      /inquiry|process\/(?!export\/merit)|review|run|approval|attendance|fee|admission-account|-me\/|announcement|homework/.test(
        name,
      )
        ? office
        : keeper;
    const get = () => (name.startsWith('POST') ? who.send({ method: 'POST', url, body }) : who.send({ url }));
    const isConfirmed = name === 'GET /audit/export';
    if (!isConfirmed) await age(601);
    expect((await get()).status).toBe(200);
    const names = await count(who);
    expect(names).toBeGreaterThan(0);
    expect(await told()).toEqual([]);

    await setCount(mostUnproved - names, who);
    expect((await get()).status).toBe(200);
    expect([await count(who), await told()]).toEqual([mostUnproved, []]);

    await age(601);
    const [last] = await school.sql('select max(id) as id from audit');
    const refused = await get();
    expect([refused.status, refused.json.error.code]).toEqual([
      403,
      who === admin ? 'confirm_required' : 'sign_in_again',
    ]);
    expect([await count(who), await told()]).toEqual([mostUnproved, []]);
    expect(await school.sql(`select 1 from audit where id > ${last?.id}`)).toEqual([]);

    await age(0);
    expect((await get()).status).toBe(200);
    const messages = await told();
    const others = [admin, other].filter((one) => one !== who).map(({ email }) => email);
    expect(messages.map(({ recipient }) => recipient).sort()).toEqual(others.sort());
    const [message] = messages;
    expect(message?.subject).toMatch(/^(Asha|Meena|Ramesh|Mina): (Exported|Printed) /);
    expect(message?.text).toMatch(/\nRecords: [\d,]+\n/);
    // Until the next 500 nobody is notified again.
    expect((await get()).status).toBe(200);
    expect(await told()).toHaveLength(others.length);

    await setCount(mostTaken, who);
    const stopped = await get();
    expect([stopped.status, stopped.json.error.code]).toEqual([429, 'too_many_tries']);
    expect(Number(stopped.headers['retry-after'])).toBeGreaterThan(3500);
  });
});

test('W11 G3 of ten exports at the same moment none passes the 500 together', async () => {
  const url = `/api${await exportsOfNames['GET /academic/section-student/export']?.()}`;
  expect((await admin.send({ url })).status).toBe(200);
  const names = await count();
  await setCount(mostUnproved - 3 * names);
  await age(601);
  const answers = await Promise.all(Array.from({ length: 10 }, () => admin.send({ url })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, ...Array(7).fill(403)]);
  expect(await count()).toBe(mostUnproved);
});

test('W11 G3 one export of more than 500 names asks for a fresh proof, and an hour later counting begins again', async () => {
  await school.sql(`insert into academic_house (name, colour, staff_id)
    select 'House ' || n, 'Red', ${await staffId()} from generate_series(1, 501) n`);
  const get = (as: string) => admin.send({ url: `/api${houseMaster.path}/export?as=${as}&search=House` });
  await age(601);
  expect((await get('xlsx')).json.error.code).toBe('confirm_required');
  await age(0);
  expect((await get('xlsx')).status).toBe(200);
  await school.sql(`update attempt set window_ends = now() - interval '1 second'`);
  await age(601);
  expect(
    (await admin.send({ url: `/api${await exportsOfNames['GET /academic/section-student/export']?.()}` })).status,
  ).toBe(200);
});
