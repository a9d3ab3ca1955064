import type { Endpoint, InputOf } from '#kit/contract/endpoint.ts';
import { type Field, isNeeded } from '#kit/contract/field.ts';
import type { ImportApi, ImportStage } from '#kit/contract/import.ts';
import type { ImportPlan } from '#kit/contract/import-plan.ts';
import { sameText } from '#kit/contract/typed.ts';

export type AnyApi = Pick<ImportApi, keyof ImportApi>;
export type Fields = Readonly<Record<string, Field>>;

/** The plan that a stage proposes. */
export const planOf = (fileName: string, { sheet, headLine, columns }: ImportStage): ImportPlan => ({
  fileName: fileName.slice(0, 200),
  ...(sheet && { sheet }),
  headLine,
  columns: columnsOf(columns),
  same: {},
  values: {},
  creates: {},
  dates: {},
  edits: {},
  answers: {},
  alike: {},
  kept: [],
  mode: 'good',
});

export const columnsOf = (columns: ImportStage['columns']): ImportPlan['columns'] =>
  Object.fromEntries(columns.flatMap(({ plan }, index) => (plan ? [[String(index), plan]] : [])));

/** The fields that a plan fills from a column; the parts of a whole name are all filled. */
export function matchedOf(plan: ImportPlan, whole: readonly string[]): Set<string> {
  return new Set(Object.values(plan.columns).flatMap(({ to, order }) => (order ? [to, ...whole] : [to])));
}

/** The required fields that neither a column nor a value for all rows fills. */
export const missingOf = (fields: Fields, plan: ImportPlan, whole: readonly string[]): string[] => {
  const matched = matchedOf(plan, whole);
  return Object.keys(fields).filter((name) => {
    const field = fields[name];
    return field && isNeeded(field) && !matched.has(name) && !plan.same[name];
  });
};

/** The plan with the proposals for words and dates that the user has not decided on. */
export function withProposals(plan: ImportPlan, { words, dates }: ImportStage): ImportPlan {
  const values = Object.fromEntries(
    words.map(({ field, words: asked }) => [
      field,
      Object.fromEntries(
        asked.flatMap(({ word, proposal }) => {
          const key = sameText(word);
          const chosen = plan.values[field]?.[key];
          if (chosen !== undefined) return [[key, chosen]];
          return proposal === null ? [] : [[key, proposal]];
        }),
      ),
    ]),
  );
  const order = Object.fromEntries(
    dates.flatMap(({ field, proposal }) => {
      const chosen = plan.dates[field] ?? proposal;
      return chosen ? [[field, chosen]] : [];
    }),
  );
  const creates = Object.fromEntries(
    words.flatMap(({ field }) => (plan.creates[field] ? [[field, plan.creates[field]]] : [])),
  );
  return { ...plan, values, dates: order, creates };
}

/** The number of words that are still to be decided. */
export function undecidedOf({ words }: ImportStage, plan: ImportPlan): number {
  const open = words.flatMap(({ field, words: asked }) =>
    asked.filter(({ word }) => !Object.hasOwn(plan.values[field] ?? {}, sameText(word))),
  );
  return open.length;
}

/** The fields whose dates can be read in two ways, as long as neither is chosen. */
export const unreadDatesOf = ({ dates }: ImportStage, plan: ImportPlan): string[] =>
  dates.flatMap(({ field }) => (plan.dates[field] ? [] : [field]));

/** The input of an operation of any import. */
export const inputOf = <Operation extends Endpoint>(_: Operation, input: object) => input as InputOf<Operation>;
