import { type RawBuilder, sql } from 'kysely';
import { isDay, showDate } from '#kit/contract/day.ts';
import type { ParsedOf } from '#kit/contract/endpoint.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { type Cell, tableFile } from '#kit/server/list/table-file.ts';
import { selectOf, shownOf } from '#kit/server/record/columns.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import { sensitiveColumns, studentFile } from '../contract/import.ts';
import { type ExportColumn, type ExportedColumn, exportColumns, exportNames, manyApi } from '../contract/many.ts';
import { type At, asOn, atOf } from './enrolment/place.ts';
import { readImportSheet } from './import/import-sheet.ts';
import { studentsSelected } from './list.ts';
import { maskOf } from './person/aadhaar.ts';
import { studentsSeen } from './visible.ts';

const ofContact = (column: RawBuilder<unknown>) =>
  sql<string | null>`(select ${column} from student_contact where student_id = student.id)`;

/** In a query of `student` and where they are `shown`: what is no field of the record. */
const values: Partial<Record<ExportColumn, RawBuilder<unknown>>> = {
  grNo: sql`student.gr_no`,
  name: sql`student.name`,
  section: sql`shown.name`,
  rollNo: sql`shown.roll_no`,
  admittedOn: sql`student.admitted_on`,
  guardian: ofContact(sql`name`),
  mobile: ofContact(sql`mobile`),
  email: ofContact(sql`email`),
  aadhaar: sql`student.aadhaar`,
  address: sql`(select concat_ws(', ', nullif(current_street_no, ''), nullif(current_address1, ''),
    nullif(current_address2, ''), nullif(current_city, ''), nullif(current_pin_code, ''))
    from student_address where student_id = student.id)`,
};

type Asked = ParsedOf<typeof manyApi.exportFields>;

export const exportFields: Handler<typeof manyApi.exportFields> = async (ctx, asked) => {
  const { selection, as, isForImport, reason } = asked;
  const { heads, hidden, read } = isForImport ? importColumns(ctx, asked) : chosenColumns(ctx, asked);
  if (hidden.length > 0 && reason === '')
    throw fieldRefusal('reason', text`Enter why you need these columns: ${{ columns: labelsOf(hidden) }}.`);
  const at = await atOf(ctx, Number(selection.query.yearId ?? 0));
  const of = at.year ? asOn(at.year, at.day) : undefined;
  const rows = await read(await studentsSelected(ctx, selection), at);
  const act = {
    action: 'student.fields-exported',
    entity: 'student',
    entityId: 0,
    details: { rows: rows.length, as, columns: labelsOf(heads), ...(reason && { reason }) },
    names: rows.length,
  };
  return takeNames(ctx, act, () =>
    tableFile(
      ctx,
      {
        name: of ? `students-${of.name}` : 'students',
        title: text`Students`,
        ...(of && { facts: of.facts }),
        heads,
        rows,
      },
      as,
    ),
  );
};

/** The columns of a file, those of them that need a reason, and the rows. */
interface Columns {
  heads: Text[];
  hidden: Text[];
  read: (ids: readonly number[], at: At) => Promise<Cell[][]>;
}

function importColumns(ctx: UserContext, { as }: Asked): Columns {
  if (as === 'pdf') throw fieldRefusal('as', text`Export a file for an import as CSV or as Excel.`);
  return {
    heads: Object.values(studentFile).map(({ label }) => label),
    hidden: sensitiveColumns.map((name) => studentFile[name].label),
    read: (ids) => readImportSheet(ctx, ids),
  };
}

function chosenColumns(ctx: UserContext, { columns }: Asked): Columns {
  const chosen = exportNames.filter((name) => columns.includes(name));
  if (chosen.length === 0) throw fieldRefusal('columns', text`Choose at least one column.`);
  return {
    heads: chosen.map((name) => exportColumns[name].label),
    hidden: chosen.map(columnNamed).flatMap(({ label, needsReason }) => (needsReason ? [label] : [])),
    read: (ids, at) => readChosen(ctx, at, ids, chosen),
  };
}

async function readChosen(ctx: UserContext, at: At, ids: readonly number[], chosen: readonly ExportColumn[]) {
  const found = await studentsSeen(ctx, manyApi.exportFields.access, at)
    .where('student.id', '=', sql<number>`any(${[...ids]}::integer[])`)
    .select('student.id')
    .select(
      chosen.map((name) => {
        const { of } = columnNamed(name);
        const value = of ? selectOf(of, { alias: 'student' }) : values[name];
        return sql<string | number | Buffer | null>`${value}`.as(name);
      }),
    )
    .orderBy('student.sort_name')
    .orderBy('student.id')
    .execute();
  return found.map((row) =>
    chosen.map((name): Cell => {
      const value = row[name] ?? null;
      if (Buffer.isBuffer(value)) return maskOf(ctx, row.id, value);
      if (value === null || typeof value === 'number') return value;
      const { of } = columnNamed(name);
      return shownDay(of ? String(shownOf(of, value)) : value);
    }),
  );
}

const columnNamed = (name: ExportColumn): ExportedColumn => exportColumns[name];
const shownDay = (value: string) => (isDay(value) ? showDate(value) : value);
const labelsOf = (labels: readonly Text[]) => labels.map(english).join(', ');
