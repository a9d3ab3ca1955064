import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { SeedPlan } from '#database/seed/plan.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import type { Database } from '#kit/server/database/database.ts';
import { addDays, daysBetween } from '#kit/server/day.ts';
import type { Random } from '#kit/server/random.ts';
import { seedVisits } from './seed-visits.ts';
import { sealNote } from './server/sealed.ts';
import { addUsual } from './server/usual.ts';

const notes: Readonly<Record<string, readonly string[]>> = {
  Positive: [
    'Explained long division to a classmate at the blackboard, step by step, until he could do it alone.',
    'Stayed back with two friends to put the chairs away after the assembly, without being asked.',
    'Read her own poem to the class for the first time. The class clapped.',
    'Saw that the new boy sat alone at lunch and called him over to her table.',
    'Corrected all spelling errors of the last test in his own time and showed me the notebook.',
    'Led the science group of four: gave each one a task and waited until all were done.',
  ],
  Neutral: [
    'Worked alone today during group work and gave short answers when I asked.',
    'Chose the library instead of the playground in the long break, all week.',
    'Asked to sit in the first row, since the board is hard to read from the back.',
    'Wrote with the left hand after the right one was hurt at play; slower, and legible.',
    'Was quiet after three days of absence. Took the notes from a neighbour.',
  ],
  Concern: [
    'Left the room twice during maths without asking. Said that the noise was too much.',
    'Pushed a classmate in the queue for water. Both said sorry after I spoke with them.',
    'Has come without homework four times in two weeks. Says there is no quiet place at home.',
    'Cried when the test was handed back and did not want to show the marks.',
  ],
};
const restricted = [
  'Told me in the break that his parents live apart since last month. Wants nobody in class to know.',
  'Said that she does not sleep because of noise and quarrels at home. I asked the counsellor to see her.',
];
const withdrawals = ['Written about the wrong student.', 'Entered twice.'];
const addenda = ['Spoke with the mother by phone; she had noticed the same.', 'A week later: much better.'];

/** In a hundred. */
const positive = 58;
const neutral = 30;

interface Child {
  enrollment_id: number;
  student_id: number;
  academic_year_id: number;
  branch_id: number;
  program_id: number;
  grade_id: number;
  section_id: number;
  joined_on: string;
  authors: number[];
}

/** A term of notes by the teachers of each section, with follow-ups, addenda and withdrawals. */
export async function seed(ctx: Context, _app: FastifyInstance, plan: SeedPlan) {
  const random = plan.random('observation');
  await ctx.db.transaction().execute(async (db) => {
    await addUsual({ ...ctx, db });
    const children = await listChildren(db, plan.today);
    if (children.length === 0) return;
    await seedNotes(db, children, random, plan);
    await seal({ ...ctx, db });
    await seedFollowUps(db, plan.today);
    await seedVisits(db, plan.today);
  });
}

/** The day, or the Friday or Monday beside a weekend; a Saturday on which the child joins is kept, as no Friday was before. */
export function weekday(day: string, joinedOn: string): string {
  const moved = addDays(day, [1, 0, 0, 0, 0, 0, -1][new Date(`${day}T00:00Z`).getUTCDay()] ?? 0);
  return moved < joinedOn ? day : moved;
}

async function listChildren(db: Database, today: string): Promise<Child[]> {
  const { rows } = await sql<Child>`
    select there.enrollment_id, there.student_id, there.academic_year_id, there.branch_id, there.program_id, there.grade_id,
      there.section_id, greatest(own.joined_on, ${today}::date - 120)::text as joined_on,
      array_agg(distinct teacher.staff_id order by teacher.staff_id) as authors
    from student_on(${today}) there
    join student_enrollment own on own.id = there.enrollment_id and own.joined_on < ${today}::date
    join academic_section_teacher teacher on teacher.section_id = there.section_id
      and ${today}::date between teacher.effective_from and coalesce(teacher.effective_to, 'infinity')
    group by 1, 2, 3, 4, 5, 6, 7, 8 order by there.student_id`.execute(db);
  return rows;
}

async function seedNotes(db: Database, children: readonly Child[], random: Random, { today, students }: SeedPlan) {
  const type = await db
    .selectFrom('observation_type')
    .where('name', '=', 'Anecdotal note')
    .select('id')
    .executeTakeFirstOrThrow();
  const rows = Array.from({ length: Math.ceil((students * 64) / 90) }, (_, index) => {
    const { authors, joined_on, ...place } = random.oneOf(children);
    const drawn = random.upTo(100);
    const polarity = drawn < positive ? 'Positive' : drawn < positive + neutral ? 'Neutral' : 'Concern';
    const day = weekday(addDays(today, -1 - random.upTo(Math.max(1, daysBetween(joined_on, today)))), joined_on);
    const at = (hour: number, minute = 0) =>
      `${day}T${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}:00+05:30`;
    const published = at(16, random.upTo(60));
    return {
      ...place,
      // Each seventh is written on two students at once.
      group_id: `00000000-0000-4000-8000-${String(index - Number(index % 7 === 1)).padStart(12, '0')}`,
      type_id: type.id,
      observed_at: at(8 + random.upTo(6), random.upTo(60)),
      polarity,
      note: random.oneOf(notes[polarity] ?? []),
      reach: random.isOnceIn(3) ? 'All teachers' : 'Class teachers',
      author_id: random.oneOf(authors),
      published_at: published,
      changed_at: published,
      locks_at: at(23, 59),
    };
  });
  await insertRows(db, 'observation_note', rows);
  await sql`insert into observation_addendum (note_id, staff_id, at, text)
    select id, author_id, published_at + interval '2 days', (${addenda}::text[])[1 + id % 2]
    from observation_note where id % 24 = 5 and published_at < school_now() - interval '3 days'`.execute(db);
  await sql`insert into observation_withdrawal (note_id, staff_id, at, reason)
    select id, author_id, published_at + interval '1 hour', (${withdrawals}::text[])[1 + id % 2]
    from observation_note where id % 58 = 7`.execute(db);
}

/** A few restricted notes, sealed as the product seals them. */
async function seal(ctx: Context) {
  const { rows } = await sql<{ id: number }>`
    select id from observation_note where id % 45 = 9
      and id not in (select note_id from observation_withdrawal union select note_id from observation_addendum)
    order by id`.execute(ctx.db);
  const ids = rows.map(({ id }) => id);
  const sealed = ids.map((id) => sealNote(ctx, id, restricted[id % restricted.length] ?? ''));
  await sql`update observation_note own set reach = 'Restricted', note = null, note_sealed = new.sealed
    from unnest(${ids}::integer[], ${sealed}::bytea[]) as new (id, sealed) where own.id = new.id`.execute(ctx.db);
}

/** A follow-up for each tenth note: most of them done, some open, a few overdue. */
const seedFollowUps = (db: Database, today: string) =>
  sql`insert into observation_follow_up (note_id, action_id, owner_id, due_on, state, remark, closed_on)
    select note.id, action.id, note.author_id, due.day, case when due.is_done then 'Done' else 'Open' end,
      case when due.is_done and note.reach <> 'Restricted' then 'Talked about it.' else '' end, case when due.is_done then due.day end
    from observation_note note
    cross join lateral (select ${today}::date - 10 + (note.id % 23)::integer as day,
      note.id % 3 = 0 or note.id % 23 < 10 and note.id % 7 <> 0 as is_done) due
    join lateral (select id from observation_action order by id offset note.id % 5 limit 1) action on true
    where note.id % 10 = 3 and not exists (select from observation_withdrawal where note_id = note.id)`.execute(db);
