import type { Examples, Stage } from '#testing/examples.ts';
import { finishRun } from '#testing/runs.ts';
import { seat } from '#testing/seated.ts';
import { enroll } from '#testing/students.ts';
import { openSection } from '#testing/teachers.ts';
import { sectionStudentApi } from './contract/section-student.ts';
import { turnRuns } from './server/enrolment/turn.ts';

const path = '/academic/section-student';

/** Prepares the year-end decision on two students, and returns the call that records it. */
async function promotion({ school, admin, here }: Stage) {
  const { academicYearId, gradeId, toYearId } = here;
  const students = [
    { enrollmentId: await enroll(school, here, 'Esha'), decision: 'Promote' },
    { enrollmentId: await enroll(school, here, 'Farah'), decision: 'Leave' },
  ];
  const body = { academicYearId, gradeId, toYearId, keepsSection: false, students };
  const send = (more: object) =>
    admin.send({ method: 'POST', url: `/api${path}/promotion`, body: { ...body, ...more } });
  const { json } = await send({});
  return () => send({ confirmToken: json.confirmToken });
}

/** Records a year-end decision, and returns its path. */
async function promoted(stage: Stage) {
  await (await promotion(stage))();
  const [row] = await stage.school.sql('select max(id) as id from academic_promotion');
  return `${path}/promoted/${row?.id}`;
}

/** Writes the turns of the school that were started. */
async function finishTurns({ school }: Pick<Stage, 'school'>) {
  const runs = await school.sql(`select id from run where kind = 'student.turn' and finished_at is null`);
  for (const { id } of runs) await finishRun(school.services, turnRuns, Number(id));
}

/** Prepares a turn in which every child leaves, and returns the call that starts it. */
async function turn(stage: Stage) {
  const { school, admin, here } = stage;
  await finishTurns(stage);
  await enroll(school, here, 'Gita');
  await school.sql(`insert into student_result (enrollment_id, academic_year_id, decision, source, decided_by)
    select id, academic_year_id, 'Leave', 'Family', 'Office' from student_enrollment
    where academic_year_id = ${here.academicYearId} and is_standing and status = 'Active'
    on conflict (enrollment_id) do update set decision = excluded.decision, source = excluded.source`);
  const send = (more = {}) =>
    admin.send({ method: 'POST', url: `/api/year-end/${here.academicYearId}/turn`, body: { keeps: 'None', ...more } });
  const { json } = await send();
  return () => send({ confirmToken: json.confirmToken });
}

/** Issues a certificate of a run of one. */
async function issued({ school, enrollmentId }: Stage) {
  const facts = JSON.stringify({ name: 'Diya Shah', birthDate: '2019-01-01', admittedOn: '2026-06-01', lastDay: '' });
  const [made] = await school.sql(`with run as (
      insert into run (kind, actor, input, total, started_at, finished_at)
      values ('student.certificate', 'Meena', '{}', 1, now(), now()) returning id)
    insert into student_certificate (kind, number, student_id, branch_id, issued_on, facts, made_by, run_id)
    select 'Bonafide', 'BC/RUN/' || run.id, student_id, branch_id, current_date, '${facts}', 'Meena', run.id
    from student_enrollment, run where student_enrollment.id = ${enrollmentId}
    returning id, student_id as student, run_id as run`);
  return made as { id: number; student: number; run: number };
}

const all = { isAll: true };

export const examples: Examples = {
  exports: {
    'GET /academic/section-student/export': async ({ here }) => {
      const place = `academicYearId=${here.academicYearId}&gradeId=${here.gradeId}&sectionId=${here.sectionId}`;
      return { url: `${path}/export?${place}&on=&as=csv&what=list` };
    },
    'GET /academic/section-student/promoted/:id': async (stage) => ({ url: await promoted(stage) }),
    'GET /student/unexplained/export': async ({ school, pupil }) => {
      await pupil();
      await seat(school, await openSection(school, { day: `(current_date - interval '1 year')::date` }), 'Esha');
      return { url: '/student/unexplained/export?as=csv&tab=undecided' };
    },
    'GET /student/result/export': async ({ here }) => ({
      url: `/student/result/export?as=csv&yearId=${here.academicYearId}`,
    }),
    'GET /year-end/turn-child/export': async (stage) => {
      await (await turn(stage))();
      return { url: `/year-end/turn-child/export?as=csv&yearId=${stage.here.academicYearId}` };
    },
    'GET /student/export': async () => ({ url: '/student/export?as=csv&tab=all' }),
    'POST /student/field-export': async ({ pupil }) => {
      await pupil();
      return { url: '/student/field-export', body: { selection: all, as: 'csv', columns: ['name'] } };
    },
    'POST /student/id-card': async ({ pupil }) => {
      await pupil();
      return { url: '/student/id-card', body: all };
    },
    'GET /student/class-list': async ({ pupil }) => ({ url: `/student/class-list?sectionId=${await pupil()}` }),
    'GET /student/certificate/export': async (stage) => {
      await issued(stage);
      return { url: '/student/certificate/export?as=csv&tab=all' };
    },
    'GET /student/certificate-run/:run/file': async (stage) => ({
      url: `/student/certificate-run/${(await issued(stage)).run}/file`,
    }),
    'GET /student/:id/certificate/:certificate/file': async (stage) => {
      const { student, id } = await issued(stage);
      return { url: `/student/${student}/certificate/${id}/file` };
    },
  },
  reported: {
    'POST /academic/section-student/promotion': promotion,
    'POST /academic/section-student/promoted/:id/undo': async (stage) => {
      const url = `/api${await promoted(stage)}/undo`;
      const { json } = await stage.admin.send({ method: 'POST', url, body: {} });
      return () => stage.admin.send({ method: 'POST', url, body: { confirmToken: json.confirmToken } });
    },
    'POST /year-end/:id/turn': turn,
    'POST /year-end/turn/:id/undo': async (stage) => {
      await (await turn(stage))();
      await finishTurns(stage);
      const [row] = await stage.school.sql('select max(id) as id from academic_turn');
      const url = `/api/year-end/turn/${row?.id}/undo`;
      const { json } = await stage.admin.send({ method: 'POST', url, body: {} });
      return () => stage.admin.send({ method: 'POST', url, body: { confirmToken: json.confirmToken } });
    },
  },
  rows: async ({ sql }, admin) => {
    await sql(`insert into student_skill_evidence (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id,
        skill_id, skill_level_id, noted_on)
      select own.id, student_id, academic_year_id, branch_id, program_id, grade_id, skill.id, level.id, joined_on
      from student_enrollment own join academic_year year on year.id = own.academic_year_id and year.id = academic_year_on()
      join academic_grade grade on grade.id = own.grade_id
      join configuration_skill skill on grade.stage = any (skill.stages), configuration_skill_level level limit 1`);
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
        select id, 1, 'Lost', 'Hansa Vora' from made;
      insert into student_correction (student_id, field, old_value, new_value, old_stored, new_stored, kind, reason, is_printed,
          status, asked_by, asked_at, done_by, done_at)
        select max(id), 'birthPlace', 'Suart', 'Surat', 'Suart', 'Surat', 'Clerical mistake', 'Typed wrongly', true, 'Done',
          'Hansa Vora', now(), 'Hansa Vora', now() from student`);
    await sql(`with file as (insert into file_import (kind, account_id, heads, names, made_at)
        select '/student/import', min(id), '{Name}', '{firstName}', now() from sign_in_account returning id)
      insert into file_import_line (import_id, line, cells) select id, 2, 'sealed' from file`);
    await sql(`insert into student_not_same (one_id, other_id, said_by) select min(id), max(id), 'Hansa Vora' from student;
      insert into student_merge (kept_id, retired_id, choices, reason, asked_by, asked_at)
        select min(student.id), max(student.id), '{}', 'Entered twice', (select min(id) from staff), now() from student`);
    await sql(`with twice as (insert into guardian (first_name) values ('Ramesh'), ('Ramesh') returning id)
      insert into guardian_merge (kept_id, retired_id, reason, done_by, done_at)
      select min(id), max(id), 'Entered twice', 'Hansa Vora', now() from twice`);
    await sql(`insert into student_result (enrollment_id, academic_year_id, decision, reason, source, decided_by)
        select own.id, own.academic_year_id, 'Detain', 'Below 35 % in Maths', 'Hand', 'Hansa Vora' from student_enrollment own
        join academic_year year on year.id = own.academic_year_id and year.status = 'Open' order by own.id desc limit 1
        on conflict do nothing;
      insert into student_result_change (enrollment_id, from_status, to_status, reason, effective_from, made_by)
        select max(id), 'Promoted', 'Detained', 'Failed the re-test', current_date, 'Hansa Vora' from student_enrollment;
      with run as (insert into run (kind, actor, input, total, started_at, finished_at)
          values ('student.turn', 'Kiran', '{}', 1, now(), now()) returning id),
        turn as (insert into academic_turn (from_year_id, to_year_id, run_id, keeps, made_by)
          select min(year.id), max(year.id), run.id, 'Same letter', 'Kiran' from academic_year year, run group by run.id
          returning id)
      insert into academic_turn_child (turn_id, enrollment_id, decision)
        select turn.id, (select max(id) from student_enrollment), 'Promote' from turn`);
    await sql(`insert into import_word (kind, field, word, choice, used_at)
      values ('/student/import', '', 'std', 'gradeId', now())`);
    const [enrolled] = await sql(`select own.id, own.academic_year_id, own.grade_id, next.id as next_id
      from student_enrollment own join academic_year next on next.starts_on > current_date
      join academic_year year on year.id = own.academic_year_id and year.id = academic_year_on()
      join academic_grade grade on grade.id = own.grade_id where own.status = 'Active' order by grade.position, own.id limit 1`);
    await admin.call(sectionStudentApi.promote, {
      academicYearId: Number(enrolled?.academic_year_id),
      gradeId: Number(enrolled?.grade_id),
      toYearId: Number(enrolled?.next_id),
      keepsSection: true,
      students: [{ enrollmentId: Number(enrolled?.id), decision: 'Promote' }],
    });
  },
};
