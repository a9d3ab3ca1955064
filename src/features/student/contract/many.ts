import * as z from 'zod/mini';
import { admin, staff, studentKeepers } from '#access/contract/grants.ts';
import { tagMaster } from '#features/tag/contract/masters.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { asOptional, field, inputOf, namesOf, omit, pick } from '#kit/contract/field.ts';
import { optionalFreeText, optionalId } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { selection } from '#kit/contract/list-view.ts';
import { namedBy } from '#kit/contract/master.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { columnsOf, type FieldPlace } from '#kit/contract/record.ts';
import { servedFile, tableKinds } from '#kit/contract/served-file.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { type Text, text } from '#kit/contract/text.ts';
import { studentTagOptions } from './list.ts';
import { aadhaarFields, changes, path, personalFields, studentRecord } from './record.ts';

/** The most cards of one file: a minute's work on a slow machine. */
export const mostIdCards = 200;
/** The most pupils of a file of class lists. */
export const mostListed = 400;

const tags = { ...namedBy(tagMaster), options: studentTagOptions };

/** What is changed of many students at once; what is left empty stays. */
export const bulkFields = {
  houseId: asOptional(personalFields.houseId),
  noHouse: field.yesNo(text`Remove the house`),
  categoryId: asOptional(personalFields.categoryId),
  categoryFrom: field.date(text`New category starts on`, {
    optional: true,
    hint: text`The first day of the new category.`,
  }),
  addedTagId: field.ref(text`Add the tag`, { to: tags, optional: true }),
  removedTagId: field.ref(text`Remove the tag`, { to: tags, optional: true }),
};

/** The new category of one student. */
export const categoryFields = pick(bulkFields, 'categoryId', 'categoryFrom');

/** A column of an export of chosen fields: a field of the record, or what else is known of a student. */
export interface ExportedColumn {
  label: Text;
  of?: FieldPlace;
  needsReason?: boolean;
}

const exportedFields = omit(studentRecord.fields, 'firstName', 'middleName', 'lastName', 'alert', 'alertLevel');

/** The columns of an export of chosen fields. Of an Aadhaar number it has the mask. */
export const exportColumns = {
  grNo: { label: text`GR number` },
  name: { label: text`Name` },
  section: { label: text`Section` },
  rollNo: { label: text`Roll number` },
  ...columnsOf(studentRecord, ['gender', 'birthDate']),
  admittedOn: { label: text`Admitted on` },
  ...columnsOf(studentRecord, ['houseId', 'categoryId', 'bloodGroup']),
  guardian: { label: text`Guardian` },
  mobile: { label: text`Mobile number` },
  email: { label: text`Email` },
  ...columnsOf(studentRecord, namesOf(exportedFields)),
  aadhaar: { label: aadhaarFields.aadhaar.label, needsReason: true },
  address: { label: text`Address`, needsReason: true },
} satisfies Record<string, ExportedColumn>;
export type ExportColumn = keyof typeof exportColumns;
export const exportNames = Object.keys(exportColumns) as ExportColumn[];

/** Who prints cards and lists with photos: the office and the principal, and class teachers for their own sections. */
export const printers = [admin(), staff('office', 'principal', 'classTeacher')] as const;

/** Who reads a class list: also those who read the students without printing cards of them. */
const classListReaders = [admin(), staff('office', 'principal', 'accountant', 'classTeacher')] as const;

export const manyApi = {
  /** Sets house and category, and adds or removes a tag, for the selected students. */
  changeMany: endpoint({
    method: 'POST',
    path: `${path}/bulk`,
    access: studentKeepers,
    changes: [...changes, 'tag'],
    input: z.object({ selection, ...inputOf(bulkFields), confirmToken }),
    output: z.extend(bulkAnswer, {
      /** What else follows from another category, such as other fees. */
      also: z.array(anyText),
      blocks: z.array(anyText),
    }),
  }),
  /** The chosen fields of the selected students. */
  exportFields: endpoint({
    method: 'POST',
    path: `${path}/field-export`,
    access: [admin(), staff('office', 'principal')],
    changes: [],
    ownTransactions: true,
    input: z.object({
      selection,
      as: z.enum(tableKinds),
      columns: listOf(z.enum(exportNames), { most: exportNames.length }),
      /** All columns of the import in place of these, with its headings. */
      isForImport: z._default(z.boolean(), false),
      reason: z._default(optionalFreeText(text`Reason`, 300), ''),
    }),
    output: servedFile,
  }),
  /** The ID cards of the selected students as a PDF; those who have left get none. */
  printCards: endpoint({
    method: 'POST',
    path: `${path}/id-card`,
    access: printers,
    changes: [],
    ownTransactions: true,
    input: selection,
    output: servedFile,
  }),
  /** Lists with photos, a section a page, as a PDF: of one section, or of a grade; of the own sections without either. */
  printClassList: endpoint({
    method: 'GET',
    path: `${path}/class-list`,
    access: classListReaders,
    input: z.object({
      sectionId: optionalId,
      gradeId: optionalId,
      yearId: optionalId,
      on: z._default(calendarDay(text`As on`, true), ''),
    }),
    output: servedFile,
  }),
};
