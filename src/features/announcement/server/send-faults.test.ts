import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { type RunBatch, workOnRun } from '#kit/server/job/runs.ts';
import { announce, people } from '#testing/announcements.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { isSoak } from '#testing/soak.ts';
import { openSection } from '#testing/teachers.ts';
import { sendKind } from './release.ts';
import { announcementRuns } from './send.ts';

let school: School;
let office: Person;
const today = toLocalDate(new Date());
const number = isSoak ? 5000 : 120;

beforeAll(async () => {
  school = await openSchool();
  school.clock.now = new Date(`${today}T10:00:00+05:30`);
  office = await school.person({ sets: ['office'] });
});
afterAll(() => school.close());

/** As many as a child may have. */
const mostOfChild = 99;

/** A section with so many guardians of a few children. */
async function openCrowd() {
  const section = await openSection(school, { day: `'${today}'` });
  const children: number[] = [];
  for (let place = 0; place < number; place += mostOfChild)
    children.push(await seat(school, section, `Aarohi ${place}`, { joinedOn: addDays(today, -9) }));
  await school.sql(`
    with adult as (
      insert into guardian (first_name, email) select 'Adult' || place, 'adult' || place || '@family.example'
      from generate_series(1, ${number}) as place returning id),
    placed as (select id, row_number() over (order by id) - 1 as place from adult)
    insert into student_guardian (student_id, guardian_id, relation_id, role, is_primary, receives_messages)
    select (array[${children.join(', ')}])[place / ${mostOfChild} + 1], id,
      (select min(id) from academic_lookup where kind = 'Relation'), 'Guardian', place % ${mostOfChild} = 0, true
    from placed`);
  return section;
}

/** Ends the connection of a batch after its work and before its commit, at these turns: as a killed process does. */
function killedAt(...turns: number[]): Record<string, RunBatch> {
  const batch = announcementRuns[sendKind] as RunBatch;
  let turn = 0;
  return {
    [sendKind]: {
      most: batch.most,
      act: async (ctx, ids, input) => {
        const done = await batch.act(ctx, ids, input);
        turn += 1;
        if (turns.includes(turn)) {
          const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(ctx.db);
          await school.sql(`select pg_terminate_backend(${rows[0]?.pid})`);
        }
        return done;
      },
    },
  };
}

test(`J1.7 a run of messages that is killed twice reaches each guardian once`, async () => {
  const section = await openCrowd();
  const made = await announce(school, office, [people('Section', section)]);
  expect(made.emails).toBe(number);
  school.clock.now = new Date(`${today}T10:01:00+05:30`);
  const runs = killedAt(1, 3);
  let kills = 0;
  for (let tries = 0; tries < 8; tries += 1) {
    try {
      await workOnRun(school.services, runs, Number(made.runId));
      const [run] = await school.sql(
        `select finished_at is not null as "isFinished" from run where id = ${made.runId}`,
      );
      if (run?.isFinished) break;
    } catch {
      kills += 1;
    }
  }
  expect(kills).toBe(2);
  const [figures] = await school.sql(`
    select count(*)::integer as deliveries, count(distinct guardian_id)::integer as guardians,
      (select count(*)::integer from outbox where template = 'announcement.notice') as messages,
      (select count(*)::integer from run_row where run_id = ${made.runId} and status = 'Done') as done
    from announcement_delivery where announcement_id = ${made.id}`);
  expect(figures).toEqual({ deliveries: number, guardians: number, messages: number, done: number });

  // A second run over the same people finds the messages of the first.
  await school.sql(`update run set finished_at = null where id = ${made.runId};
    update run_row set status = 'Waiting' where run_id = ${made.runId}`);
  await workOnRun(school.services, announcementRuns, Number(made.runId));
  const [again] = await school.sql(
    `select count(*)::integer as messages from outbox where template = 'announcement.notice'`,
  );
  expect(again?.messages).toBe(number);
});
