import { clampToYear, readYear } from '#features/calendar/api.ts';
import { restoreText } from '#kit/contract/csv.ts';
import { showDate } from '#kit/contract/day.ts';
import type { ParsedOf } from '#kit/contract/endpoint.ts';
import { fieldErrors } from '#kit/contract/fields.ts';
import type { ImportRow } from '#kit/contract/import.ts';
import { text } from '#kit/contract/text.ts';
import { sameText } from '#kit/contract/typed.ts';
import type { UserContext } from '#kit/server/context.ts';
import { routes } from '#kit/server/http/routes.ts';
import { importHandlers } from '#kit/server/import/import-files.ts';
import { keepImport, rowsBefore } from '#kit/server/import/import-journal.ts';
import { importAnswerOf, isStopped, isWritten, twiceMessage } from '#kit/server/import/import-rows.ts';
import type { ImportTarget } from '#kit/server/import/import-target.ts';
import { rememberWords } from '#kit/server/import/import-words.ts';
import { namedRows, type TableRow } from '#kit/server/import/parse-table.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { type classList, rollFile, rollImportApi, rollNumber } from '../../contract/section-student.ts';
import { lockSection } from '../enrolment/placement.ts';
import { giveRolls, holderOf, isThere, note, type Roll, readRolls, requireUnlocked } from '../enrolment/roll-number.ts';

interface Line extends ImportRow {
  row: Roll | undefined;
  roll: number | null;
}

/**
 * Previews or applies a file of roll numbers in one statement. The same file a second time changes nothing.
 */
const importRolls = (
  ctx: UserContext,
  { confirmToken, ...input }: Omit<ParsedOf<typeof rollImportApi.import>, 'shown'>,
) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const { id, on } = input;
    const section = await lockSection(ctx, id);
    requireUnlocked(section);
    const table = namedRows(ctx.table());
    const day = clampToYear(ctx, await readYear(ctx, section.academic_year_id), on);
    const rolls = await readRolls(ctx, id);
    const lines = withHolders(compareRows(table, { rolls, day, section: section.name }), rolls);
    const answer = { ...importAnswerOf(lines), lines };
    const isRefused = isStopped(answer.counts, input.plan);
    const changed = lines.flatMap((line) =>
      isWritten(line) && line.row && line.roll !== null ? [{ line: line.line, row: line.row, roll: line.roll }] : [],
    );
    let importId: number | undefined;
    if (!isPreview && !isRefused && changed.length > 0) {
      const were = await rowsBefore(
        ctx,
        target,
        changed.map(({ row }) => row.id),
      );
      await giveRolls(
        ctx,
        changed.map(({ row, roll }) => ({ id: row.id, roll })),
      );
      const numbers = changed.map(({ row, roll }) => `${row.name} ${row.roll_no ?? '–'} → ${roll}`).join('; ');
      await note(ctx, section, 'rolls-imported', { Changed: changed.length, Numbers: numbers });
      importId = await keepImport(ctx, target, {
        plan: input.plan,
        table: ctx.table(),
        counts: answer.counts,
        created: [],
        rows: changed.map(({ line, row }) => ({ line, id: row.id, name: row.name, was: were.get(row.id) })),
      });
      await rememberWords(ctx, target.kind, input.plan, ctx.table().fileHeads ?? []);
    }
    const basis = lines.map(({ line, status, row, roll }) => [line, status, row?.id, row?.roll_no, roll]);
    return { answer: { ...answer, ...(importId && { importId }) }, basis: [input, basis], isRefused };
  });

const target: ImportTarget = {
  kind: rollImportApi.import.path,
  name: 'roll-numbers',
  fields: rollFile,
  undo: { table: 'student_section' },
};

interface There {
  rolls: Roll[];
  day: string;
  section: string;
}

/** Finds the student of every line, and reads the number. */
function compareRows(table: TableRow[], { rolls, day, section }: There): Line[] {
  const byGrNo = Map.groupBy(
    rolls.filter((row) => isThere(row, day)),
    ({ gr_no }) => sameText(gr_no),
  );
  const seen = new Map<string, number>();
  return table.map(({ line, cells }) => {
    const cell = (name: keyof typeof classList) => restoreText(cells[name] ?? '');
    const grNo = sameText(cell('grNo'));
    const [row, second] = byGrNo.get(grNo) ?? [];
    const twice = seen.get(grNo);
    seen.set(grNo, twice ?? line);
    const parsed = rollNumber.safeParse(cell('rollNo'));
    const roll = parsed.success ? parsed.data : null;
    // A class list has an empty cell for a student without a roll number.
    const isSame = row !== undefined && (cell('rollNo') === '' ? row.roll_no === null : row.roll_no === roll);
    const [problem] = parsed.error ? Object.values(fieldErrors(parsed.error)) : [];
    const messages = {
      ...(problem && !isSame && { rollNo: problem }),
      ...(!row && { grNo: text`No student in ${{ section }} on ${{ day: showDate(day) }} has this GR number.` }),
      // Another branch may have the same section and GR numbers of its own.
      ...(row &&
        isOther(cell('name'), row.name) && {
          grNo: text`This GR number belongs to ${{ student: row.name }}. Check the name.`,
        }),
      ...(second && {
        grNo: text`Two students in this section have this GR number. Edit their roll numbers by hand.`,
      }),
      ...(twice && { grNo: twiceMessage(twice) }),
      ...(isElsewhere(cell('section'), section) && {
        section: text`This row belongs to ${{ section: cell('section') }}. Import it in that section.`,
      }),
    };
    const displayName = row?.name ?? [cell('name'), cell('grNo')].filter(Boolean).join(', ').slice(0, 120);
    if (Object.keys(messages).length > 0) return { line, displayName, status: 'wrong', messages, row, roll };
    if (isSame) return { line, displayName, status: 'same', messages, row, roll };
    const [before, after] = [row?.roll_no ?? '–', roll ?? '–'];
    const change = { rollNo: text`${{ before }} → ${{ after }}` };
    return { line, displayName, status: row?.roll_no === null ? 'added' : 'changed', messages: change, row, roll };
  });
}

const isOther = (cell: string, name: string) => cell !== '' && sameText(cell) !== sameText(name);
const isElsewhere = (cell: string, section: string) => cell !== '' && sameText(cell) !== sameText(section);

/** Refuses numbers that two students would have on the same day after the import. */
function withHolders(lines: Line[], rolls: Roll[]): Line[] {
  const rollNumbers = new Map(
    lines.flatMap(({ status, row, roll }) => (row && status !== 'wrong' ? [[row.id, roll] as const] : [])),
  );
  const after = rolls.map((row) => ({ ...row, roll_no: rollNumbers.get(row.id) ?? row.roll_no }));
  return lines.map((line) => {
    if (!line.row || line.roll === null || line.status === 'wrong' || line.status === 'same') return line;
    const held = holderOf(line.row, line.roll, after);
    return held ? { ...line, status: 'wrong', messages: { rollNo: held } } : line;
  });
}

const handlers = importHandlers(target, importRolls);

/** Throws `not_found`. */
async function requireSection({ db }: UserContext, { id }: { id: number }) {
  await db.selectFrom('academic_section').where('id', '=', id).select('id').executeTakeFirstOrThrow(notFound);
}

export const rollImportRoutes = routes(rollImportApi, {
  ...handlers,
  importOpen: async (ctx, input) => {
    await requireSection(ctx, input);
    return handlers.importOpen(ctx, input);
  },
  importTemplate: async (ctx, input) => {
    await requireSection(ctx, input);
    return handlers.importTemplate(ctx, input);
  },
  imports: async (ctx, input) => {
    await requireSection(ctx, input);
    return handlers.imports(ctx);
  },
});
