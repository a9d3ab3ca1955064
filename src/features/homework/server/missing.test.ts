import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomFrom } from '#kit/server/random.ts';
import { dayOfJuly, giveHomework, monday, openTaught, teachSubject } from '#testing/homework.ts';
import { openSchool, type School } from '#testing/school.ts';
import { missingList } from '../contract/missing.ts';

let school: School;
const draw = randomFrom(91);

beforeAll(async () => {
  school = await openSchool();
  school.clock.now = monday;
});
afterAll(() => school.close());

/** What the list counts, by the roster and the status of each child and delivery. */
async function countMissing(today: string, section: number) {
  return school.sql(`
    select roster.student_id as id, count(*)::integer as missing,
      (count(*) filter (where given.due_on > '${today}'::date - 7))::integer as recent,
      (array_agg(content.title order by given.due_on desc, given.id desc))[:5] as titles
    from homework_section given
    cross join lateral homework_roster(array[given.id]) roster
    join homework content on content.id = given.homework_id
    left join homework_result result on result.homework_section_id = given.id and result.student_id = roster.student_id
    left join homework_extension extension on extension.homework_section_id = given.id
      and extension.student_id = roster.student_id
    cross join lateral (select greatest(given.due_on, extension.due_on) as day) as due
    join student_on('${today}') here on here.student_id = roster.student_id
    where given.section_id = ${section} and given.state in ('Published', 'Closed')
      and given.due_on between '${today}'::date - 30 and '${today}' and due.day <= '${today}'
      and homework_status(result.result, result.handed_in_on, due.day, roster.standing, given.state, '${today}')
        in ('Missing', 'Not done', 'Incomplete')
    group by roster.student_id order by roster.student_id`);
}

test('I1.19 missing work is what roster and status say, for closed homework, more time, electives and children who moved', async () => {
  const names = ['Aarav', 'Bina', 'Charu', 'Dhruv', 'Esha', 'Farhan', 'Gita', 'Hari'];
  const { teacher, subjectId, first } = await openTaught(school, names);
  const elective = await teachSubject(school, teacher, [first], { isCompulsory: false });
  const [, , charu = 0, dhruv = 0, esha = 0] = first.children;
  await school.sql(`insert into student_subject (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, subject_id)
    select enrollment.id, student_id, academic_year_id, branch_id, program_id, grade_id, ${elective} from student_enrollment enrollment
    where student_id in (${charu}, ${dhruv})`);
  const ids: number[] = [];
  for (const day of [7, 8, 9, 10])
    for (const subject of [subjectId, elective])
      ids.push(
        ...(await giveHomework(teacher, [first], {
          subjectId: subject,
          title: `${day} of ${subject}`,
          minutes: 5,
          dueOn: dayOfJuly(day),
        })),
      );
  school.clock.now = new Date('2026-07-10T04:30:00Z');
  const results = ['Submitted', 'Not done', 'Incomplete', 'Excused'];
  for (const id of ids)
    for (const child of first.children) {
      const result = results[draw.upTo(7)];
      if (result)
        await school.sql(`insert into homework_result (homework_section_id, student_id, academic_year_id, result, handed_in_on,
            checked_by, checked_at)
          select id, ${child}, academic_year_id, '${result}',
            case when '${result}' in ('Submitted', 'Incomplete') then assigned_on + ${draw.upTo(4)} end, ${teacher.staffId}, now()
          from homework_section where id = ${id}`);
      if (draw.upTo(6) === 0)
        await school.sql(`insert into homework_extension (homework_section_id, student_id, due_on, reason, staff_id, given_at)
          select id, ${child}, due_on + ${1 + draw.upTo(3)}, 'Ill', ${teacher.staffId}, now() from homework_section where id = ${id}`);
    }
  // One child came later and another left the section before the last days were due.
  await school.sql(`update student_section set effective_from = '${dayOfJuly(8)}' where student_id = ${esha}`);
  await school.sql(`update student_section set effective_to = '${dayOfJuly(8)}' where student_id = ${dhruv}`);
  const check = async (today: string) => {
    school.clock.now = new Date(`${today}T04:30:00Z`);
    const { rows } = await teacher.call(missingList.api.list, {} as never);
    const listed = rows.map(({ id, missing, recent, titles }) => ({
      id,
      missing,
      recent,
      titles: titles.split('; ').map((title) => title.replace(/, .*$/, '')),
    }));
    expect(listed.toSorted((one, other) => one.id - other.id)).toEqual(await countMissing(today, first.id));
    return rows.length;
  };
  expect(await check(dayOfJuly(10))).toBeGreaterThan(3);
  await school.sql(
    `update homework_section set state = 'Closed', closed_at = now() where id in (${ids.slice(2, 5).join(', ')})`,
  );
  await school.sql(
    `update homework_section set state = 'Cancelled', cancelled_reason = 'Wrong page' where id = ${ids[5] ?? 0}`,
  );
  for (const day of [10, 11, 14, 30]) await check(dayOfJuly(day));
  expect(await check('2026-08-09')).toBeGreaterThan(0);
  expect(await check('2026-08-10')).toBe(0);
});
