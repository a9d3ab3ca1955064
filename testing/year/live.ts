import { addDays } from '#kit/server/day.ts';
import { type Random, randomFrom } from '#kit/server/random.ts';
import type { School } from '../school.ts';
import { type Act, type Done, sectionsOn } from './acting.ts';
import { takeRegisterOf, acts as usualActs } from './acts.ts';
import type { Broken, Invariant, Span } from './invariants.ts';
import type { YearSchool } from './school.ts';

/** An act as it was done. */
export interface Line extends Done {
  day: string;
  act: string;
  isWrong: boolean;
}

/** What was done, in the order in which it was acknowledged. */
export type Journal = Line[];

const clients = 3;

/** An act that had to read the database when it was killed is left out; one that the server answered is not. */
function unlessKilled(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!/^(57P0[123]|08\d{3}|ECONN.*|EPIPE)$/.test(code) && !/Connection terminated|connection/i.test(String(error)))
    throw error;
}

/** One act after another of a day, each drawn by its weight. */
async function work(
  world: YearSchool,
  {
    day,
    count,
    random,
    journal,
    acts,
  }: { day: string; count: number; random: Random; journal: Journal; acts: readonly Act[] },
) {
  const drawn = acts.flatMap((act) => Array.from({ length: act.weight }, () => act));
  for (let at = 0; at < count; at += 1) {
    const { name, isWrong, act } = random.oneOf(drawn);
    const done = await act(world, random, day).catch(unlessKilled);
    if (done) journal.push({ day, act: name, isWrong: isWrong === true, ...done });
  }
}

interface Lived {
  day: string;
  seed: number;
  /** Acts of each client. */
  count: number;
  journal: Journal;
  acts?: readonly Act[];
  /** What happens to server and database while people work. */
  meanwhile?: () => Promise<void>;
}

/** Lives one day: the registers at half past eight, then what people do, several at once. */
export async function liveDay(
  world: YearSchool,
  { day, seed, count, journal, acts = usualActs, meanwhile }: Lived,
): Promise<void> {
  const isSchoolDay = new Date(`${day}T00:00:00Z`).getUTCDay() !== 0;
  world.clockAt(day, '08:30');
  if (isSchoolDay)
    await Promise.all(
      sectionsOn(world, day).map(async ({ id, teacher }, at) => {
        const done = await takeRegisterOf(teacher, { sectionId: id, day, random: randomFrom(seed * 100 + at) });
        journal.push({ day, act: 'a register', isWrong: false, ...done });
      }),
    );
  world.clockAt(day, '10:00');
  await Promise.all([
    ...Array.from({ length: clients }, (_, client) =>
      work(world, { day, count, random: randomFrom(seed * 1000 + client), journal, acts }),
    ),
    meanwhile?.(),
  ]);
}

/** The days of a span. */
export function daysOf({ from, until }: Span): string[] {
  const days: string[] = [];
  for (let day = from; day <= until; day = addDays(day, 1)) days.push(day);
  return days;
}

/** What does not hold, by the name of its invariant. */
export async function breaches(
  sql: School['sql'],
  checked: readonly Invariant[],
  span: Span,
): Promise<{ name: string; broken: Broken }[]> {
  const found: { name: string; broken: Broken }[] = [];
  for (const { name, find } of checked) for (const broken of await find(sql, span)) found.push({ name, broken });
  return found;
}

const mostLines = 3;

/** The newest state of what an invariant is about, in a line. */
export async function stateOf(sql: School['sql'], { student }: Broken, day: string): Promise<string> {
  if (student === undefined) return '';
  const [row] =
    await sql(`select word, here.section_id, balance, entry from (select student_status(${student}, '${day}') as word) own
    left join lateral (select own.section_id from student_on('${day}') own where student_id = ${student} limit 1) here on true
    left join lateral (select id, balance from fee_account where student_id = ${student}) account on true
    left join lateral (select concat_ws(' ', kind, amount, 'of', entry_date) as entry from fee_ledger_entry
      where account_id = account.id order by fee_ledger_entry.id desc limit 1) as newest on true`);
  return `${row?.word} in section ${row?.section_id}, balance ${row?.balance}, last entry ${row?.entry}`;
}

/** A breach, the child's latest state, the act that the breach names, and the last acts on the child. */
export function explain(journal: Journal, { name, broken }: { name: string; broken: Broken }, state = ''): string {
  // A register touches a child every day, and matters where marks are counted.
  const isOfMarks = !broken.request && /mark|screen/.test(name);
  const touched = journal.filter(
    ({ act, students, status }) =>
      status === 200 && (isOfMarks || act !== 'a register') && (!broken.student || students.includes(broken.student)),
  );
  const newest = touched.slice(-mostLines);
  const named = touched.filter(
    ({ request }) => request && request === broken.request && !newest.some((line) => line.request === request),
  );
  const history = [...named, ...newest].map(({ day, act }) => `${day} ${act}`);
  const subject = broken.student ? `student ${broken.student}${state && ` (${state})`}, ` : '';
  return [`${name}: ${subject}${broken.words}`, ...history].join('\n  ');
}
