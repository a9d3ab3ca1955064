import { sql } from 'kysely';
import { restoreText } from '#kit/contract/csv.ts';
import { readDay } from '#kit/contract/day.ts';
import { type Field, inactiveMessage, type Named } from '#kit/contract/field.ts';
import { isRealDate, unreal } from '#kit/contract/fields.ts';
import type { MasterRow } from '#kit/contract/master.ts';
import { type Text, text } from '#kit/contract/text.ts';
import { cleanCode, cleanLines, sameText } from '#kit/contract/typed.ts';
import { withoutTitles } from '#kit/contract/whole-name.ts';
import type { UserContext } from '../context.ts';
import { notComputed } from '../import/shown-cells.ts';
import { shown } from './details.ts';
import { displayNameOf, isOfKind, ownColumn, ownTable } from './sql.ts';

/** The possible target rows of a master's fields, by field and by `sameText` of the name. */
export type Names = Record<string, Map<string, { id: number; isActive: boolean; name?: string }[]>>;

/** Reads the names of the rows that fields may point to, by field name. */
export async function lookUpNames(
  { db }: Pick<UserContext, 'db'>,
  targets: readonly [name: string, Named][],
): Promise<Names> {
  const all = targets.map(
    ([
      name,
      target,
    ]) => sql`select ${name}::text as field, ${ownColumn('id')} as id, ${displayNameOf(target)} as "displayName",
      ${ownColumn('isActive')} as "isActive", ${target.codeField ? ownColumn(target.codeField) : sql`null::text`} as code
      from ${ownTable(target)} where ${isOfKind(target)}`,
  );
  const names: Names = {};
  if (all.length === 0) return names;
  const { rows } = await sql<{
    field: string;
    id: number;
    displayName: string;
    isActive: boolean;
    code: string | null;
  }>`${sql.join(all, sql` union all `)}`.execute(db);
  const add = (field: string, words: string, entry: { id: number; isActive: boolean; name: string }) => {
    names[field] ??= new Map();
    const key = sameText(words);
    names[field].set(key, [...(names[field].get(key) ?? []), entry]);
  };
  for (const { field, id, displayName, isActive } of rows) add(field, displayName, { id, isActive, name: displayName });
  // A name goes before a code that is the same.
  for (const { field, id, displayName, isActive, code } of rows)
    if (code && !names[field]?.has(sameText(code))) add(field, code, { id, isActive, name: displayName });
  return names;
}

/** The rows that a cell names: by their name or code, people also behind a title. */
export function namedIn(names: Names, name: string, field: Field | undefined, cell: string) {
  const all = names[name];
  const isPeople = field?.kind === 'ref' && field.to !== 'self' && field.to.isPeople === true;
  return all?.get(sameText(cell)) ?? (isPeople ? all?.get(sameText(withoutTitles(cell))) : undefined) ?? [];
}

interface Read {
  value: unknown;
  /** The reason of a refusal, where the field's own message would not fit. */
  problem?: Text;
}

const spreadsheetError = /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|SPILL!|CALC!)$/;

/** How a spreadsheet writes a long number into a CSV file. */
const cutNumber = /^[0-9](?:\.[0-9]{1,14})?E\+[0-9]{1,3}$/i;

/** "2007.0" and "9.876543210E+9" as the whole numbers that other programs write so; only where no digit is lost. */
function readWholeNumber(cell: string): string {
  const code = cleanCode(cell);
  const [, whole] = /^([0-9]{1,20})\.0{1,6}$/.exec(code) ?? [];
  if (whole !== undefined) return whole;
  const [, first = '', digits = '', zeros] = /^([0-9])\.([0-9]{1,15})E\+([0-9]{1,2})$/i.exec(code) ?? [];
  return digits !== '' && digits.length === Number(zeros) ? first + digits : code;
}

/** Why a cell says nothing, whatever its field is. */
export function brokenCell(cell: string): Text | undefined {
  if (cell === notComputed) return text`This formula has no value. Open the file in Excel and save it, then import it.`;
  if (spreadsheetError.test(cell)) return text`This cell has the error ${{ error: cell }}. Correct it.`;
  if (cutNumber.test(cell) && readWholeNumber(cell) === cell)
    return text`“${{ cell }}” shows only some of its digits. Format the column as text and enter it again.`;
  return undefined;
}

/** The value of a file's cell for a field. */
export function readCell(master: Pick<Named, 'fields'>, name: string, values: string, names: Names): Read {
  const field = master.fields[name];
  const cell = cleanLines(restoreText(values));
  const broken = brokenCell(cell);
  if (broken) return { value: '', problem: broken };
  if (!field) return readYesNo(cell);
  if (isCode(field)) {
    const code = readWholeNumber(cell);
    return readText(
      isNumeric(field) ? code.replace(/(?<=[0-9])[ -](?=[0-9])/g, '') : code,
      restoreText(values) !== values,
    );
  }
  switch (field.kind) {
    case 'text':
    case 'longText':
    case 'email':
      return readText(cell, restoreText(values) !== values);
    case 'date':
    case 'birthDate': {
      const day = readDay(cell);
      const value = day ? `${day.year}-${day.month}-${day.day}` : cell;
      // Of a birth date the field itself says which part is missing.
      const isUnreal = (day !== undefined || field.kind === 'date') && value !== '' && !isRealDate(value);
      return { value, ...(isUnreal && { problem: unreal }) };
    }
    case 'yesNo':
      return readYesNo(cell);
    case 'oneOf': {
      const value = field.options.find((option) => sameText(option) === sameText(cell));
      return cell === '' || value ? { value: value ?? '' } : { value: '', problem: choiceMessage(field) };
    }
    case 'someOf': {
      const words = cell.split(/[,;]/).map(sameText).filter(Boolean);
      const isKnown = words.every((word) => field.options.some((option) => sameText(option) === word));
      const value = field.options.filter((option) => words.includes(sameText(option))).join(',');
      return isKnown ? { value } : { value, problem: choiceMessage(field) };
    }
    case 'ref': {
      if (cell === '') return { value: null };
      const found = namedIn(names, name, field, cell);
      const [only] = found;
      if (only && found.length === 1) return { value: only.id, ...(!only.isActive && { problem: inactiveMessage }) };
      const words = cell.slice(0, 60);
      const problem =
        found.length === 0 ? text`“${{ words }}” does not exist.` : text`“${{ words }}” matches more than one entry.`;
      return { value: null, problem };
    }
    default:
      return { value: cell };
  }
}

/** Numbers and codes, which other programs write with decimals or in digits of another script. */
const isCode = (field: Field) =>
  field.kind === 'number' || field.kind === 'mobile' || (field.kind === 'text' && field.like !== undefined);
/** A code of digits alone, which is also written in groups. */
const isNumeric = (field: Field) => field.kind === 'text' && field.inputMode === 'numeric';

function readText(cell: string, isQuoted: boolean): Read {
  if (cell.startsWith('=') && !isQuoted) return { value: cell, problem: text`Text can’t start with =. Remove the =.` };
  return { value: cell };
}

const choiceMessage = ({ options }: Extract<Field, { options: readonly string[] }>) =>
  text`Use one of these: ${{ words: options.join(', ') }}.`;

function readYesNo(cell: string): Read {
  if (/^(yes|y|true|1)$/i.test(cell)) return { value: true };
  if (/^(no|n|false|0)?$/i.test(cell)) return { value: false };
  return { value: false, problem: text`Enter Yes or No.` };
}

/** Refuses a cell that would change a read-only field; a new row has its first option. */
export function readOnlyProblem(name: string, field: Field, cell: string, before: MasterRow | undefined) {
  const first = field.kind === 'oneOf' ? (field.options[0] ?? '') : field.kind === 'yesNo' ? 'No' : '';
  const is = before ? shown(name, field, before) : first;
  if (cell === '' || sameText(cell) === sameText(is)) return undefined;
  return text`An import can’t change this. Leave it empty.`;
}
