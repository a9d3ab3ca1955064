import { type RawBuilder, sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import type { ParsedOf } from '#kit/contract/endpoint.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { type Cell, tableFile } from '#kit/server/list/table-file.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import { sensitiveColumns, studentFile } from '../contract/import.ts';
import { type ExportColumn, exportColumns, exportNames, manyApi, sensitive } from '../contract/many.ts';
import { genderWord } from '../contract/record.ts';
import { readImportSheet } from './import/import-sheet.ts';
import { studentsSelected } from './list.ts';
import { maskOf } from './person/aadhaar.ts';
import { studentsSeen } from './visible.ts';

const nameIn = (table: RawBuilder<unknown>, id: RawBuilder<unknown>) =>
  sql<string | null>`(select name from ${table} where id = ${id})`;
const ofContact = (column: RawBuilder<unknown>) =>
  sql<string | null>`(select ${column} from student_contact where student_id = student.id)`;

/** In a query of `student`, their `place`, `grade` and `section`. */
const values: Record<ExportColumn, RawBuilder<unknown>> = {
  grNo: sql`student.gr_no`,
  name: sql`student.name`,
  section: sql`coalesce(academic_section_name(grade.name, section.name), grade.name)`,
  rollNo: sql`place.roll_no`,
  gender: sql`student.gender`,
  birthDate: sql`student.birth_date`,
  admittedOn: sql`student.admitted_on`,
  house: nameIn(sql`academic_house`, sql`student.house_id`),
  category: nameIn(sql`academic_lookup`, sql`student.category_id`),
  bloodGroup: sql`student.blood_group`,
  guardian: ofContact(sql`name`),
  mobile: ofContact(sql`mobile`),
  email: ofContact(sql`email`),
  religion: nameIn(sql`academic_lookup`, sql`student.religion_id`),
  casteCategory: nameIn(sql`academic_lookup`, sql`student.caste_category_id`),
  caste: sql`student.caste`,
  udiseUid: sql`student.udise_uid`,
  pen: sql`student.pen`,
  apaar: sql`student.apaar`,
  aadhaar: sql`student.aadhaar`,
  address: sql`(select concat_ws(', ', nullif(current_street_no, ''), nullif(current_address1, ''),
    nullif(current_address2, ''), nullif(current_city, ''), nullif(current_pin_code, ''))
    from student_address where student_id = student.id)`,
};
const shows: Partial<Record<ExportColumn, (value: string) => string>> = {
  gender: genderWord,
  birthDate: showDate,
  admittedOn: showDate,
};

type Asked = ParsedOf<typeof manyApi.exportFields>;

export const exportFields: Handler<typeof manyApi.exportFields> = async (ctx, asked) => {
  const { selection, as, isForImport, reason } = asked;
  const { heads, hidden, read } = isForImport ? importColumns(ctx, asked) : chosenColumns(ctx, asked);
  if (hidden.length > 0 && reason === '')
    throw fieldRefusal('reason', text`Enter why you need these columns: ${{ columns: labelsOf(hidden) }}.`);
  const rows = await read(await studentsSelected(ctx, selection));
  const act = {
    action: 'student.fields-exported',
    entity: 'student',
    entityId: 0,
    details: { rows: rows.length, as, columns: labelsOf(heads), ...(reason && { reason }) },
    names: rows.length,
  };
  return takeNames(ctx, act, () => tableFile(ctx, { name: 'students', title: text`Students`, heads, rows }, as));
};

/** The columns of a file, those of them that need a reason, and the rows. */
interface Columns {
  heads: Text[];
  hidden: Text[];
  read: (ids: readonly number[]) => Promise<Cell[][]>;
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
    heads: chosen.map((name) => exportColumns[name]),
    hidden: chosen.filter((name) => sensitive.includes(name)).map((name) => exportColumns[name]),
    read: (ids) => readChosen(ctx, ids, chosen),
  };
}

async function readChosen(ctx: UserContext, ids: readonly number[], chosen: readonly ExportColumn[]) {
  const found = await studentsSeen(ctx, manyApi.exportFields.access)
    .leftJoin('academic_grade as grade', 'grade.id', 'place.grade_id')
    .leftJoin('academic_section as section', 'section.id', 'place.section_id')
    .where('student.id', '=', sql<number>`any(${[...ids]}::integer[])`)
    .select('student.id')
    .select(chosen.map((name) => sql<string | number | Buffer | null>`${values[name]}`.as(name)))
    .orderBy('student.sort_name')
    .orderBy('student.id')
    .execute();
  return found.map((row) =>
    chosen.map((name): Cell => {
      const value = row[name] ?? null;
      if (Buffer.isBuffer(value)) return maskOf(ctx, row.id, value);
      return value === null || typeof value === 'number' ? value : (shows[name]?.(value) ?? value);
    }),
  );
}

const labelsOf = (labels: readonly Text[]) => labels.map(english).join(', ');
