import { createHash } from 'node:crypto';
import { dayOf } from '#features/academic/api.ts';
import { readYear } from '#features/calendar/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { fieldErrors } from '#kit/contract/fields.ts';
import type { ImportRow } from '#kit/contract/master.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { twiceMessage } from '#kit/server/import/dry-run.ts';
import { readTable, type TableRow } from '#kit/server/import/read-csv.ts';
import { restoreText } from '#kit/server/list/csv.ts';
import { classList, rollColumns, rollNumber, type sectionStudentApi } from '../contract/section-student.ts';
import { holdSection } from './placement.ts';
import { giveRolls, holderOf, isThere, note, type Roll, readRolls, requireUnlocked } from './roll-number.ts';

/** A line of the file, the row it numbers, and the number. */
interface Line extends ImportRow {
  row: Roll | undefined;
  roll: number | null;
}

/**
 * Says what becomes of every line of a file: numbered, left as it is, or refused and why. It is done, all in one statement,
 * only where that is still what `expected` stands for and nothing is refused; a second time it finds nothing to do.
 */
export const importRolls: Handler<typeof sectionStudentApi.importRolls> = async (ctx, { id, expected, on }) => {
  const section = await holdSection(ctx, id);
  requireUnlocked(section);
  const table = readTable({ columns: Object.entries(classList), needed: rollColumns }, ctx.table());
  const day = dayOf(ctx, await readYear(ctx, section.academic_year_id), on);
  const rolls = await readRolls(ctx, id);
  const lines = withHolders(judge(table, { rolls, day, section: section.name }), rolls);
  const counts = { added: 0, changed: 0, same: 0, wrong: 0 };
  for (const { fate } of lines) counts[fate]++;
  const digest = createHash('sha256')
    .update(JSON.stringify(lines.map(({ line, fate, row, roll }) => [line, fate, row?.id, row?.roll_no, roll])))
    .digest('base64url');
  const isDone = counts.wrong === 0 && digest === expected;
  const told = lines.flatMap(({ fate, row, roll }) =>
    fate === 'same' || !row || roll === null ? [] : [{ row, roll }],
  );
  if (isDone && told.length > 0) {
    await giveRolls(
      ctx,
      told.map(({ row, roll }) => ({ id: row.id, roll })),
    );
    const numbers = told.map(({ row, roll }) => `${row.name} ${row.roll_no ?? '–'} → ${roll}`).join('; ');
    await note(ctx, section, 'rolls-imported', { Changed: told.length, Numbers: numbers });
  }
  return { rows: lines.map(({ line, called, fate, says }) => ({ line, called, fate, says })), counts, digest, isDone };
};

const plain = (text: string) => text.trim().toLowerCase();

interface There {
  rolls: Roll[];
  day: string;
  section: string;
}

/** Finds the student of every line, and reads the number. */
function judge(table: TableRow[], { rolls, day, section }: There): Line[] {
  const byGrNo = Map.groupBy(
    rolls.filter((one) => isThere(one, day)),
    ({ gr_no }) => plain(gr_no),
  );
  const seen = new Map<string, number>();
  return table.map(({ line, cells }) => {
    const cell = (name: keyof typeof classList) => restoreText(cells[name] ?? '');
    const grNo = plain(cell('grNo'));
    const [row, second] = byGrNo.get(grNo) ?? [];
    const twice = seen.get(grNo);
    seen.set(grNo, twice ?? line);
    const parsed = rollNumber.safeParse(cell('rollNo'));
    const roll = parsed.success ? parsed.data : null;
    // A class list has an empty cell where nobody has given a number yet.
    const isSame = row !== undefined && (cell('rollNo') === '' ? row.roll_no === null : row.roll_no === roll);
    const says = {
      ...(!parsed.success && !isSame && { rollNo: Object.values(fieldErrors(parsed.error))[0] ?? '' }),
      ...(!row && { grNo: `Nobody in ${section} on ${showDate(day)} has this GR number.` }),
      // Another branch may have the same section and GR numbers of its own.
      ...(row && isOther(cell('name'), row.name) && { grNo: `This GR number is that of ${row.name} here.` }),
      ...(second && { grNo: 'Two students of the section have this GR number, in two branches. Number them by hand.' }),
      ...(twice && { grNo: twiceMessage(twice) }),
      ...(isElsewhere(cell('section'), section) && { section: `This line is of ${cell('section')}. Import it there.` }),
    };
    const called = row?.name ?? [cell('name'), cell('grNo')].filter(Boolean).join(', ').slice(0, 120);
    if (Object.keys(says).length > 0) return { line, called, fate: 'wrong', says, row, roll };
    if (isSame) return { line, called, fate: 'same', says, row, roll };
    const change = row?.roll_no === null ? { rollNo: `Number ${roll}.` } : { rollNo: `${row?.roll_no} → ${roll}` };
    return { line, called, fate: row?.roll_no === null ? 'added' : 'changed', says: change, row, roll };
  });
}

const isOther = (cell: string, name: string) => cell !== '' && plain(cell) !== plain(name);
const isElsewhere = (cell: string, section: string) => cell !== '' && plain(cell) !== plain(section);

/** Refuses numbers that somebody else would have on a common day once all are given. */
function withHolders(lines: Line[], rolls: Roll[]): Line[] {
  const given = new Map(
    lines.flatMap(({ fate, row, roll }) => (row && fate !== 'wrong' ? [[row.id, roll] as const] : [])),
  );
  const after = rolls.map((one) => ({ ...one, roll_no: given.get(one.id) ?? one.roll_no }));
  return lines.map((one) => {
    if (!one.row || one.roll === null || one.fate === 'wrong' || one.fate === 'same') return one;
    const held = holderOf(one.row, one.roll, after);
    return held ? { ...one, fate: 'wrong', says: { rollNo: held } } : one;
  });
}
