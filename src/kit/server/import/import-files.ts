import { type Field, isNeeded } from '#kit/contract/field.ts';
import type { ImportAnswer, ImportRow, ImportStage, RowStatus } from '#kit/contract/import.ts';
import { mostPreviewed, neededMark, reasonsHead } from '#kit/contract/import-limits.ts';
import type { ColumnPlan, ImportPlan } from '#kit/contract/import-plan.ts';
import type { SheetKind } from '#kit/contract/served-file.ts';
import { english, type Text, withLabel } from '#kit/contract/text.ts';
import { sameText } from '#kit/contract/typed.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type SheetColumn, sheetFile } from '#kit/server/list/table-file.ts';
import { mapRows } from '#kit/server/map-rows.ts';
import { brokenCell, type Names, readCell } from '#kit/server/master/cells.ts';
import { listImports, undoImport } from './import-journal.ts';
import type { ImportOutcome } from './import-rows.ts';
import { type ImportTarget, mayCreate, readNamesOf } from './import-target.ts';
import { leftOut, type Remembered, readWords, rememberedKey } from './import-words.ts';
import type { FileStage } from './plan-table.ts';
import { proposalOf, proposeWord } from './propose-word.ts';
import { bare } from './read-table.ts';
import { questionsOf } from './row-question.ts';

interface Files {
  as: SheetKind;
}

interface Planned {
  plan?: ImportPlan | undefined;
}

type Shown = { status: RowStatus | ''; cause: string; page: number };
type Given<Input> = Input & Planned & { shown?: Shown | undefined; confirmToken?: string | undefined };

/**
 * The handlers of an import: itself, its stages, its files and its history. `run` previews or applies a file; `usual`
 * proposes values for all rows by the fields that the file has.
 */
export const importHandlers = <Input extends object>(
  target: ImportTarget,
  run: (ctx: UserContext, input: Input & Planned & { confirmToken?: string | undefined }) => Promise<ImportOutcome>,
  usual?: (ctx: UserContext, input: Input & Planned, has: ReadonlySet<string>) => Promise<Record<string, string>>,
) => ({
  import: async (ctx: UserContext, { shown, ...input }: Given<Input>) => {
    const { lines, ...answer } = await run(ctx, input as unknown as Input & Planned);
    return { ...answer, ...(await pageOf(ctx, target, lines, shown ?? { status: '', cause: '', page: 0 })) };
  },
  importOpen: async (ctx: UserContext, input: Input & Planned) => {
    const { stage } = ctx.table();
    if (!stage) throw new Error('A stage is read from the file.');
    const found = await stageOf(ctx, target, stage, input.plan);
    if (!usual || isChosen(input.plan)) return found;
    const has = new Set(found.columns.flatMap(({ plan }) => plan?.to ?? []));
    const values = Object.entries(await usual(ctx, input, has));
    return { ...found, same: Object.fromEntries(values.filter(([name]) => !has.has(name))) };
  },
  importTemplate: (ctx: UserContext, { as }: Files) => {
    const all = Object.values(target.fields);
    return sheetFile(ctx, { name: target.name, heads: all.map(headOf), rows: [], columns: all.map(columnOf) }, as);
  },
  importErrors: async (ctx: UserContext, { as, ...input }: Input & Files & Planned) => {
    const { lines } = await run(ctx, input as unknown as Input & Planned);
    const table = ctx.table();
    const { heads, rows: file } = table.own ?? table;
    // A file that was corrected before has a column of reasons.
    const kept = [...heads.keys()].filter((index) => heads[index] !== english(reasonsHead));
    const reasons = new Map(
      lines.flatMap(({ line, status, messages }) =>
        status === 'wrong' ? [[line, reasonOf(messages, target.fields)] as const] : [],
      ),
    );
    const rows = file
      .filter(({ line }) => reasons.has(line))
      .map(({ line, cells }) => [...kept.map((index) => cells[index] ?? ''), reasons.get(line) ?? '']);
    const keptHeads = [...kept.map((index) => heads[index] ?? ''), english(reasonsHead)];
    const columns = keptHeads.map((): SheetColumn => ({ kind: 'text' }));
    return sheetFile(ctx, { name: `${target.name}-errors`, heads: keptHeads, rows, columns }, as);
  },
  imports: (ctx: UserContext) => listImports(ctx, target),
  importUndo: (ctx: UserContext, input: { importId: number; confirmToken?: string | undefined }) =>
    undoImport(ctx, target, input),
});

const causeOf = (field: string, message: Text) => `${field}\n${message.id}`.slice(0, 300);
const causesOf = (row: ImportRow) =>
  row.status === 'wrong' ? Object.entries(row.messages).map(([field, message]) => ({ field, message })) : [];

const mostCauses = 30;

/** The rows of a preview that are shown, with their values, and the reasons of all refusals. */
async function pageOf(ctx: UserContext, target: ImportTarget, lines: ImportOutcome['lines'], shown: Shown) {
  const causes = new Map<string, NonNullable<ImportAnswer['causes']>[number]>();
  await mapRows(lines, (row) => {
    for (const { field, message } of causesOf(row)) {
      const key = causeOf(field, message);
      const known = causes.get(key);
      if (known) known.count++;
      else causes.set(key, { key, field, message, count: 1 });
    }
  });
  const order: readonly RowStatus[] = ['wrong', 'added', 'changed', 'same'];
  const by = Map.groupBy(lines, ({ status }) => status);
  const inOrder = order.flatMap((status) =>
    shown.status === '' || shown.status === status ? (by.get(status) ?? []) : [],
  );
  const found =
    shown.cause === ''
      ? inOrder
      : inOrder.filter((row) => causesOf(row).some(({ field, message }) => causeOf(field, message) === shown.cause));
  const start = shown.page * mostPreviewed;
  const table = ctx.table();
  const rows = found.slice(start, start + mostPreviewed);
  const wanted = new Set(rows.map(({ line }) => line));
  const cells = new Map(table.rows.filter(({ line }) => wanted.has(line)).map((row) => [row.line, row.cells]));
  const names = await readNamesOf(ctx, target);
  const nameOf = namesById(names);
  return {
    rows: rows.map(({ line, displayName, status, messages, question, stored }) => ({
      line,
      displayName,
      status,
      messages,
      ...(question && { question }),
      cellsAsStored: Object.fromEntries(
        table.names.flatMap((name, index) => {
          if (!name) return [];
          const cell = cells.get(line)?.[index] ?? '';
          return [[name, messages[name] ? cell : shownValue(name, target.fields[name], stored?.[name], cell, nameOf)]];
        }),
      ),
    })),
    causes: [...causes.values()].sort((one, other) => other.count - one.count).slice(0, mostCauses),
    questions: questionsOf(lines),
    kept: keptOf(lines),
    found: found.length,
  };
}

/** The cells that rows which are imported do not change, by field and reason. */
function keptOf(lines: readonly ImportRow[]) {
  const all = new Map<string, NonNullable<ImportAnswer['kept']>[number]>();
  for (const { status, messages } of lines)
    if (status !== 'wrong')
      for (const [field, message] of Object.entries(messages)) {
        const key = causeOf(field, message);
        const known = all.get(key) ?? { field, message, count: 0 };
        known.count++;
        all.set(key, known);
      }
  return [...all.values()];
}

type NameOf = (field: string, id: number) => string | undefined;

function namesById(names: Names): NameOf {
  const byField = new Map<string, Map<number, string>>();
  return (field, id) => {
    let known = byField.get(field);
    if (!known) {
      known = new Map();
      for (const [key, entries] of names[field] ?? [])
        for (const entry of entries) if (!known.has(entry.id)) known.set(entry.id, entry.name ?? key);
      byField.set(field, known);
    }
    return known.get(id);
  };
}

/** A value as it will be stored; a cell whose value the import keeps apart is shown as it is read. */
function shownValue(name: string, field: Field | undefined, value: unknown, cell: string, nameOf: NameOf): string {
  if (value === undefined) return cell;
  if (value === null) return '';
  if (field?.kind === 'ref') return nameOf(name, Number(value)) ?? cell;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (field?.kind === 'money' || field?.kind === 'percent') return cell;
  return String(value);
}

const mostChoices = 300;
/** Row 2 stands before Row 10. */
const byNumber = new Intl.Collator('en', { numeric: true }).compare;

/** The choices of a field, by name; none of a field without a list. */
function choicesOf(name: string, field: Field | undefined, names: Names): string[] {
  if (field?.kind === 'oneOf') return [...field.options];
  if (field?.kind === 'yesNo') return ['Yes', 'No'];
  if (field?.kind !== 'ref') return [];
  const all = [...(names[name] ?? [])].flatMap(([key, entries]) => {
    const [only] = entries;
    return only?.isActive && entries.length === 1 ? [only.name ?? key] : [];
  });
  return [...new Set(all)].sort(byNumber).slice(0, mostChoices);
}

const isChosen = (plan: ImportPlan | undefined) => plan !== undefined && Object.keys(plan.columns).length > 0;

/** What the user decides on: the parser's findings with what the school chose before, and the words that fit nothing. */
async function stageOf(ctx: UserContext, target: ImportTarget, stage: FileStage, plan: ImportPlan | undefined) {
  const { fields } = target;
  const [names, remembered] = [await readNamesOf(ctx, target), await readWords(ctx, target.kind)];
  const words = stage.words.flatMap(({ field, words: found, hasMore }): ImportStage['words'] => {
    const choices = choicesOf(field, fields[field], names);
    // A cell with an error of the spreadsheet is no word: the preview refuses it.
    const unknown = found.filter(
      ({ word }) => readCell({ fields }, field, word, names).problem !== undefined && !brokenCell(word),
    );
    if (unknown.length === 0) return [];
    const of = (word: string) => {
      const before = remembered.get(rememberedKey(field, sameText(word)));
      if (before !== undefined && (before === '' || choices.some((choice) => choice === before)))
        return { proposal: before };
      const found = before === leftOut ? null : proposalOf(word, choices, fields[field]?.isLegal);
      return { proposal: found?.choice ?? null, ...(found?.isGuess && { isGuess: true }) };
    };
    const asked = unknown.map(({ word, count }) => ({ word, count, ...of(word) }));
    return [{ field, words: asked, choices, mayCreate: mayCreate(ctx, target, field), hasMore }];
  });
  const columns = isChosen(plan)
    ? stage.columns
    : withRemembered(withFitting(stage, fields, names), fields, remembered);
  const choices = Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const all = choicesOf(name, field, names);
      return all.length > 0 ? [[name, all]] : [];
    }),
  );
  return { ...stage, columns, words, choices };
}

/**
 * The columns with the field whose choices their words fit: of "Category" and "Caste category" the one that has most of
 * the words, if it has nearly all.
 */
function withFitting({ columns, words }: FileStage, fields: ImportTarget['fields'], names: Names) {
  const taken = new Set(columns.flatMap(({ plan }) => plan?.to ?? []));
  const labelOf = (name: string) => sameText(english(fields[name]?.label ?? reasonsHead)).split(' ');
  return columns.map((column) => {
    const { plan } = column;
    const found = words.find(({ field }) => field === plan?.to)?.words ?? [];
    if (!plan || plan.order || found.length === 0) return column;
    const rows = found.reduce((sum, { count }) => sum + count, 0);
    const fitOf = (name: string) => {
      const choices = choicesOf(name, fields[name], names);
      const fits = (word: string) => choices.length > 0 && proposeWord(word, choices, fields[name]?.isLegal) !== null;
      return found.reduce((sum, { word, count }) => (fits(word) ? sum + count : sum), 0);
    };
    const own = fitOf(plan.to);
    const others = Object.keys(fields).filter(
      (name) => !taken.has(name) && labelOf(plan.to).every((word) => labelOf(name).includes(word)),
    );
    const better = others.find((name) => fitOf(name) > own && fitOf(name) >= rows * 0.9);
    return better ? { ...column, plan: { to: better } } : column;
  });
}

/** The columns as the school matched them before, and as proposed otherwise. */
function withRemembered(columns: FileStage['columns'], fields: ImportTarget['fields'], remembered: Remembered) {
  const chosen = columns.map(({ head }) =>
    bare(head) === '' ? undefined : remembered.get(rememberedKey('', bare(head))),
  );
  const taken = new Set(chosen.filter((name) => name));
  const seen = new Set<string>();
  return columns.map((column, index) => {
    const name = chosen[index];
    if (name === undefined) return column.plan && taken.has(column.plan.to) ? { ...column, plan: null } : column;
    if (name === '' || !Object.hasOwn(fields, name) || seen.has(name)) return { ...column, plan: null };
    seen.add(name);
    const plan: ColumnPlan = column.plan?.to === name ? column.plan : { to: name };
    return { ...column, plan };
  });
}

const reasonOf = (messages: ImportRow['messages'], fields: ImportTarget['fields']) =>
  Object.entries(messages)
    .map(([name, message]) => withLabel(message, fields[name]?.label, english))
    .join(' ');

const headOf = (field: Field) => (isNeeded(field) ? `${english(field.label)} ${neededMark}` : english(field.label));

/** The choices of several words are text, since a cell's list offers one. */
function columnOf(field: Field): SheetColumn {
  switch (field.kind) {
    case 'date':
    case 'birthDate':
      return { kind: 'date' };
    case 'number':
      return { kind: 'number' };
    // Typed amounts have commas and a currency, which a cell of numbers would lose.
    case 'money':
    case 'percent':
      return { kind: 'text' };
    case 'yesNo':
      return { kind: 'text', choices: ['Yes', 'No'] };
    case 'oneOf':
      return { kind: 'text', choices: field.options };
    default:
      return { kind: 'text' };
  }
}
