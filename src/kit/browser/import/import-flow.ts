import type { Endpoint, InputOf } from '#kit/contract/endpoint.ts';
import { type Field, isNeeded } from '#kit/contract/field.ts';
import type { ImportApi, ImportStage } from '#kit/contract/import.ts';
import type { ImportPlan } from '#kit/contract/import-plan.ts';
import { splitLetter } from '#kit/contract/letter-pair.ts';
import { sameText } from '#kit/contract/typed.ts';

export type AnyApi = Pick<ImportApi, keyof ImportApi>;
export type Fields = Readonly<Record<string, Field>>;

/** The plan that a stage proposes. */
export const planOf = (fileName: string, { sheet, headLine, columns, same = {} }: ImportStage): ImportPlan => ({
  fileName: fileName.slice(0, 200),
  ...(sheet && { sheet }),
  headLine,
  columns: columnsOf(columns),
  same,
  values: {},
  creates: {},
  dates: {},
  edits: {},
  answers: {},
  alike: {},
  kept: [],
  mode: 'good',
});

const columnsOf = (columns: ImportStage['columns']): ImportPlan['columns'] =>
  Object.fromEntries(columns.flatMap(({ plan }, index) => (plan ? [[String(index), plan]] : [])));

/** The fields that a plan fills from a column; the parts of a whole name are all filled. */
export function matchedOf(plan: ImportPlan, whole: readonly string[]): Set<string> {
  return new Set(
    Object.values(plan.columns).flatMap(({ to, order }) =>
      order === 'First Middle' ? whole.slice(0, 2) : order ? [to, ...whole] : [to],
    ),
  );
}

/** What a stage and its table know of columns that become several fields. */
interface Several {
  whole: readonly string[];
  pair?: readonly [first: string, second: string] | undefined;
  stage?: ImportStage | undefined;
}

/** The required fields that neither a column nor a value for all rows fills. */
export const missingOf = (fields: Fields, plan: ImportPlan, { whole, pair, stage }: Several): string[] => {
  const matched = matchedOf(plan, whole);
  const isPaired = stage?.columns.some(
    ({ samples }, index) => plan.columns[String(index)]?.to === pair?.[0] && samples.some(splitLetter),
  );
  return Object.keys(fields).filter((name) => {
    const field = fields[name];
    if (name === pair?.[1] && isPaired) return false;
    return field && isNeeded(field) && !matched.has(name) && !plan.same[name];
  });
};

/** The plan with the proposals for words and dates that the user has not decided on; guesses wait for the user. */
export function withProposals(plan: ImportPlan, { words, dates }: ImportStage): ImportPlan {
  // A value that was typed for all rows becomes an entry, unless it is an entry already.
  const isTyped = ({ field, mayCreate }: ImportStage['words'][number], word: string) =>
    mayCreate && sameText(plan.same[field] ?? '') === sameText(word);
  const values = Object.fromEntries(
    words.map((of) => [
      of.field,
      Object.fromEntries(
        of.words.flatMap(({ word, proposal, isGuess }) => {
          const key = sameText(word);
          const before = plan.values[of.field]?.[key];
          if (before !== undefined) return [[key, before]];
          if (proposal !== null && !isGuess) return [[key, proposal]];
          return isTyped(of, word) ? [[key, word]] : [];
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
    words.flatMap((of) => {
      const typed = of.words.flatMap(({ word, proposal, isGuess }) =>
        isTyped(of, word) && (proposal === null || isGuess) && plan.values[of.field]?.[sameText(word)] === undefined
          ? [word]
          : [],
      );
      const all = [...(plan.creates[of.field] ?? []), ...typed];
      return all.length > 0 ? [[of.field, all]] : [];
    }),
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
