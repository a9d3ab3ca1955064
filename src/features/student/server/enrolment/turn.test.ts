import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { branchMaster } from '#features/school/contract/masters.ts';
import type { InputOf } from '#kit/contract/endpoint.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openTurning, type Turning } from '#testing/turning.ts';
import { turnApi, turnList } from '../../contract/turn.ts';
import { turnRuns } from './turn.ts';

let school: School;
let admin: Person;
let other: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Kiran', role: 'Admin' });
  other = await school.person({ name: 'Asha', role: 'Admin' });
});
afterAll(() => school.close());

const decide = (year: number, ids: readonly number[], decision: string) =>
  school.sql(`insert into student_result (enrollment_id, academic_year_id, decision, reason, source, decided_by)
    select id, ${year}, '${decision}', 'Marks', 'Hand', 'Office' from unnest(array[${ids.join(', ')}]) as id`);
const read = ({ fromYearId }: Turning, keeps = 'Same letter' as const) =>
  admin.call(turnApi.read, { id: fromYearId, keeps });
const preview = ({ fromYearId }: Turning, more: Partial<InputOf<typeof turnApi.start>> = {}) =>
  admin.call(turnApi.start, { id: fromYearId, keeps: 'Same letter', ...more });
const finish = (runId: number | null) => finishRun(school.services, turnRuns, Number(runId));
async function turn(here: Turning, more: Partial<InputOf<typeof turnApi.start>> = {}) {
  const { confirmToken } = await preview(here, more);
  const { runId } = await preview(here, { ...more, confirmToken: confirmToken ?? '' });
  await finish(runId);
  const { turns } = await read(here);
  return turns[0]?.id ?? 0;
}
const seats = ({ toYearId }: Turning) =>
  school.sql(`select grade.name as grade, section.name as letter, section.capacity, count(own.id)::integer as seated,
      coalesce(array_agg(own.roll_no order by own.roll_no) filter (where own.id is not null), '{}') as rolls
    from academic_section section join academic_grade grade on grade.id = section.grade_id
    left join student_section own on own.section_id = section.id
    where section.academic_year_id = ${toYearId} group by section.id, grade.id order by grade.position, section.name`);
const fates = ({ fromYearId, toYearId, idOf }: Turning, grade: string) =>
  school.sql(`select own.status, later.grade_id as grade, count(*)::integer as count from student_enrollment own
    left join student_enrollment later on later.student_id = own.student_id and later.academic_year_id = ${toYearId}
      and later.is_standing
    where own.academic_year_id = ${fromYearId} and own.grade_id = ${idOf(grade)} group by 1, 2 order by 1`);

test('U1.5 all grades turn at once: those that stop are left out with their field, and the sums equal the roll', async () => {
  const here = await openTurning(school, [
    { name: 'Five', children: 120, next: 'Six', sections: { A: 60, B: 60 } },
    { name: 'Six', children: 0, sections: { A: 60, B: 50 } },
    { name: 'Seven', children: 10, next: 'Eight', sections: { A: 40 } },
    { name: 'Eight', children: 0, sections: { A: 40 }, isBare: true },
    { name: 'Nine', children: 7, sections: { A: 40 } },
    { name: 'Twelve', children: 80, sections: { A: 80 } },
  ]);
  const five = await here.enrolmentsOf('Five');
  await school.sql(`delete from student_section where enrollment_id in (${five.slice(0, 5).join(', ')})`);
  await school.sql(`update student_enrollment set status = 'Left', left_on = '${here.end}'::date - 30
    where id in (${five.slice(0, 5).join(', ')})`);
  await decide(here.fromYearId, five.slice(5, 8), 'Detain');
  const { grades } = await read(here);
  const sums = grades.map((one) => [
    one.roll,
    one.promoted,
    one.detained,
    one.leaving,
    one.stops && english(one.stops),
    one.to,
  ]);
  expect(sums).toEqual([
    [115, 112, 3, 0, null, ''],
    [
      10,
      0,
      0,
      0,
      expect.stringMatching(/^Eight \d+ has no section in the new year\.$/),
      'academic/academic-master?tab=section',
    ],
    [7, 0, 0, 0, expect.stringMatching(/^Nine \d+ has no next grade\.$/), 'academic/academic-master?tab=grade'],
    [80, 0, 0, 80, null, ''],
  ]);
  // Two of 112 find their section full.
  expect(grades[0]?.unseated.map(({ why }) => english(why))).toEqual(
    Array(6).fill(expect.stringMatching(/B is full$/)),
  );
  const shown = await preview(here);
  expect(shown).toMatchObject({
    grades: 2,
    roll: 195,
    promoted: 112,
    detained: 3,
    leaving: 80,
    unseated: 6,
    runId: null,
  });
  expect(shown.stopped.map(({ name }) => name.split(' ')[0])).toEqual(['Seven', 'Nine']);
  const id = await turn(here);
  const [made] = (await read(here)).turns;
  expect(made).toMatchObject({ id, by: 'Kiran', isFinished: true, done: 195, total: 195 });
  expect(made?.grades.map((one) => [one.roll, one.promoted, one.detained, one.leaving, one.unseated])).toEqual([
    [115, 112, 3, 0, 6],
    [80, 0, 0, 80, 0],
  ]);
  const list = await admin.call(turnList.api.list, { yearId: String(here.fromYearId) } as never);
  expect(list.total).toBe(195);
  expect(await fates(here, 'Five')).toEqual([
    { status: 'Detained', grade: here.idOf('Five'), count: 3 },
    { status: 'Left', grade: null, count: 5 },
    { status: 'Promoted', grade: here.idOf('Six'), count: 112 },
  ]);
  expect(await fates(here, 'Nine')).toEqual([{ status: 'Active', grade: null, count: 7 }]);
  expect(await fates(here, 'Twelve')).toEqual([{ status: 'Left', grade: null, count: 80 }]);
});

test('U1.6 newcomers keep their seats, two Admins start one run, and a run that is killed continues', async () => {
  const here = await openTurning(school, [
    { name: 'Five', children: 130, next: 'Six', sections: { A: 70, B: 70 } },
    { name: 'Six', children: 90, next: 'Seven', sections: { A: 60, B: 60 } },
    { name: 'Seven', children: 0, sections: { A: 45, B: 45 } },
  ]);
  const [first = 0, second = 0] = await here.enrolmentsOf('Five');
  // Twelve newcomers and two who were placed by hand.
  await school.sql(`with child as (insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
      select ${here.branchId}, 'NEW${here.toYearId}-' || n, 'New' || n, 'Comer', 'F', '2019-01-01' from generate_series(1, 12) n
      returning id),
    enrolled as (insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type,
        joined_on)
      select id, ${here.toYearId}, ${here.branchId}, ${here.programId}, ${here.idOf('Six')}, 'New', '${here.nextStart}'::date
      from (select id from child union all select student_id from student_enrollment where id in (${first}, ${second})) as one
      returning *)
    insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id,
      roll_no, effective_from)
    select enrolled.id, student_id, enrolled.academic_year_id, enrolled.branch_id, enrolled.program_id, enrolled.grade_id,
      section.id, row_number() over (order by enrolled.id), joined_on
    from enrolled join academic_section section on section.academic_year_id = ${here.toYearId}
      and section.grade_id = ${here.idOf('Six')} and section.name = 'A'`);
  const before = await school.sql(
    `select * from student_section where academic_year_id = ${here.toYearId} order by id`,
  );
  const { confirmToken } = await preview(here);
  const body = { keeps: 'Same letter', gradeIds: [], confirmToken };
  const url = `/api/year-end/${here.fromYearId}/turn`;
  const answers = await Promise.all([admin, other].map((one) => one.send({ method: 'POST', url, body })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const runs = await school.sql(`select id from academic_turn where from_year_id = ${here.fromYearId}`);
  expect(runs).toHaveLength(1);
  // While it runs nobody starts another one.
  expect((await admin.send({ method: 'POST', url, body: { keeps: 'None' } })).json.error.message).toMatch(
    /has started this already/,
  );
  const runId = answers.find(({ status }) => status === 200)?.json.runId;
  // Its connection ends three times, after the rows of its first, second and third batch are written.
  for (const last of [1, 2, 2]) await expect(finishRun(school.services, endingAt(last), runId)).rejects.toThrow();
  await finish(runId);
  expect(
    await school.sql(
      `select * from student_section where id in (${before.map(({ id }) => id).join(', ')}) order by id`,
    ),
  ).toEqual(before);
  const rooms = await seats(here);
  for (const { capacity, seated, rolls } of rooms) {
    expect(Number(seated)).toBeLessThanOrEqual(Number(capacity));
    expect(rolls).toEqual(Array.from({ length: Number(seated) }, (_, index) => index + 1));
  }
  const [{ twice } = {}] =
    await school.sql(`select count(*)::integer as twice from (select student_id from student_enrollment
    where academic_year_id = ${here.toYearId} and is_standing group by 1 having count(*) > 1) as own`);
  expect(twice).toBe(0);
});

/** The run whose connection ends before this batch commits. */
function endingAt(last: number): typeof turnRuns {
  const own = turnRuns['student.turn'];
  let batch = 0;
  return {
    'student.turn': {
      ...own,
      act: async (ctx, ...given) => {
        batch++;
        const notDone = await own.act(ctx, ...given);
        if (batch === last) {
          const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(ctx.db);
          await school.sql(`select pg_terminate_backend(${rows[0]?.pid}, 5000)`);
        }
        return notDone;
      },
    },
  };
}

test('a balanced turn seats detained children too, a later one gives no section, and a re-test is shown as one', async () => {
  const here = await openTurning(school, [
    { name: 'Five', children: 20, next: 'Six', sections: { A: 12, B: 12 } },
    { name: 'Six', children: 0, sections: { A: 10, B: 10 } },
  ]);
  const ids = await here.enrolmentsOf('Five');
  await decide(here.fromYearId, ids.slice(0, 2), 'Detain');
  await decide(here.fromYearId, ids.slice(2, 3), 'Re-test');
  await decide(here.fromYearId, ids.slice(3, 4), 'Leave');
  expect(await preview(here, { keeps: 'None' })).toMatchObject({
    promoted: 16,
    detained: 2,
    reTest: 1,
    leaving: 1,
    unseated: 19,
  });
  const elsewhere = await school.person({ sets: ['office'], branchIds: [(await plant(school, branchMaster)).id] });
  const office = await school.person({ sets: ['office'], branchIds: [Number(here.branchId)] });
  const ofOffice = (by: Person) => by.call(turnApi.read, { id: here.fromYearId, keeps: 'None' });
  expect((await ofOffice(elsewhere)).grades).toEqual([]);
  expect((await ofOffice(office)).grades[0]?.unseated).toHaveLength(19);
  await turn(here, { keeps: 'Balanced' });
  expect((await seats(here)).map(({ seated }) => seated)).toEqual([1, 1, 9, 8]);
  const [made] = (await read(here)).turns;
  expect(made?.grades[0]).toMatchObject({ promoted: 16, detained: 2, reTest: 1, leaving: 1, unseated: 0 });
  const left = await school.sql(`select remark, lookup.name as reason from student_leaving
    join academic_lookup lookup on lookup.id = reason_id where enrollment_id = ${ids[3]}`);
  expect(left).toEqual([{ remark: 'Marks', reason: 'Other' }]);
});

test('a decision that changes after the preview makes it stale, and one that changes during the run is left out', async () => {
  const here = await openTurning(school, [
    { name: 'Five', children: 3, next: 'Six', sections: { A: 5 } },
    { name: 'Six', children: 0, sections: { A: 5 } },
  ]);
  const [a = 0, b = 0] = await here.enrolmentsOf('Five');
  const { confirmToken } = await preview(here);
  await decide(here.fromYearId, [a], 'Detain');
  const url = `/api/year-end/${here.fromYearId}/turn`;
  const body = { keeps: 'Same letter', gradeIds: [], confirmToken };
  expect((await admin.send({ method: 'POST', url, body })).json.error.code).toBe('stale');
  const now = await preview(here);
  const { runId } = await preview(here, { confirmToken: now.confirmToken ?? '' });
  await decide(here.fromYearId, [b], 'Leave');
  await finish(runId);
  const reasons = await school.sql(`select reason from run_row where run_id = ${runId} and status = 'Skipped'`);
  expect(reasons.map(({ reason }) => english(reason as never))).toEqual([
    'The decision has changed since the preview. Start again for the rest.',
  ]);
  expect(await preview(here)).toMatchObject({ roll: 1, leaving: 1 });
});
