import { isGranted } from '#kit/contract/endpoint.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { type Field, type Named, refsOf } from '#kit/contract/field.ts';
import { fieldErrors } from '#kit/contract/fields.ts';
import type { ImportPlan } from '#kit/contract/import-plan.ts';
import { emptyValues, type Master, type Values } from '#kit/contract/master.ts';
import { text } from '#kit/contract/text.ts';
import { sameText } from '#kit/contract/typed.ts';
import type { UserContext } from '#kit/server/context.ts';
import { lookUpNames, type Names } from '#kit/server/master/cells.ts';
import { createAll } from '#kit/server/master/create-all.ts';

/** An entry that an import may create: its master, and the values that every such entry has. */
export interface Creatable {
  master: Master;
  values?: Values;
}

/** The table whose rows an import writes, and the tables of their parts, by the column that points to them. */
export interface Undoable {
  table: string;
  parts?: readonly { table: string; column: string }[];
  /** The application may not delete its rows: the database deletes those that the import added. */
  isKept?: true;
}

/** What a file is imported into. */
export interface ImportTarget {
  /** The key of its history and of remembered matches: the operation's path. */
  kind: string;
  /** The name of its files, without the ending. */
  name: string;
  /** The columns of its template. */
  fields: Readonly<Record<string, Field>>;
  /** The rows that cells may name; by default those of the fields that point to other rows. */
  readNames?: (ctx: UserContext) => Promise<Names>;
  /** The entries that words of a field may become. */
  creates?: Readonly<Record<string, Creatable>>;
  /** Without it an import can't be undone. */
  undo?: Undoable;
}

/** The rows that cells of a target may name. */
export function readNamesOf(ctx: UserContext, { fields, readNames }: ImportTarget): Promise<Names> {
  if (readNames) return readNames(ctx);
  const targets = refsOf({ fields }).flatMap(([name, { to }]): [string, Named][] =>
    to === 'self' ? [] : [[name, to]],
  );
  return lookUpNames(ctx, targets);
}

/** An entry that an import created. */
export interface CreatedEntry {
  table: string;
  id: number;
  name: string;
}

/** Whether the user may create entries of this field. */
export const mayCreate = ({ user }: UserContext, { creates }: ImportTarget, name: string): boolean => {
  const found = creates?.[name];
  return found !== undefined && isGranted(found.master.api.create.access, user);
};

/** Creates the entries that the plan names. Throws for a field whose entries the user may not create. */
export async function createEntries(
  ctx: UserContext,
  target: ImportTarget,
  plan: ImportPlan | undefined,
): Promise<CreatedEntry[]> {
  const made: CreatedEntry[] = [];
  const asked = Object.entries(plan?.creates ?? {}).filter(([, words]) => words.length > 0);
  const named = new Map<Master, Values[]>();
  for (const [name, words] of asked) {
    const found = target.creates?.[name];
    if (!found || !mayCreate(ctx, target, name))
      throw fieldRefusal('file', text`You can’t create entries of this kind. Choose an existing one.`);
    const { master, values } = found;
    const label = master.labelFields.find((one) => !values || !Object.hasOwn(values, one)) ?? 'name';
    const distinct = new Map(words.map((word) => [sameText(word), word.trim()]));
    const rows = [...distinct.values()].map((word) => ({ ...emptyValues(master), ...values, [label]: word }));
    named.set(master, [...(named.get(master) ?? []), ...rows]);
  }
  for (const [master, rows] of named) {
    const parsed = rows.map((row) => {
      const { data, error } = master.api.create.input.safeParse(row);
      if (data) return data as Values;
      const [message] = Object.values(fieldErrors(error));
      throw message ? fieldRefusal('file', message) : new AppError('invalid', text`This entry can’t be created.`);
    });
    const created = await createAll(ctx, master, parsed);
    made.push(...created.map(({ id, displayName }) => ({ table: master.table, id, name: displayName })));
  }
  return made;
}
