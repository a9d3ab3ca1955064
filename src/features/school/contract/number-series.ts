import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { because, fieldInfo, freeText, id, optionalFreeText, rule } from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { highestValue, oneCount, patternProblem, type Reset, resets } from '#kit/contract/numbering.ts';
import { neededId, wholeNumber } from '#kit/contract/shell-fields.ts';
import { type Text, text } from '#kit/contract/text.ts';

export const resetWords: Record<Reset, Text> = {
  never: text`Never restarts`,
  academicYear: text`Restarts at 1 each academic year`,
  financialYear: text`Restarts at 1 each financial year`,
};

const isReset = (value: unknown) => resets.includes(value as Reset);

export const numberSeriesDraft = {
  prefix: optionalFreeText(text`Prefix`, 20, {
    like: /^[A-Za-z0-9/._-]+$/,
    unlike: text`Use only letters, digits and / - . _`,
  }),
  pattern: freeText(text`Pattern`, 60, { like: /\{seq/, unlike: oneCount }),
  resetOn: z
    .custom<Reset>(isReset, because(text`Choose one from the list.`))
    .register(fieldInfo, { label: text`Numbering`, optional: false, options: resets }),
  nextValue: wholeNumber(text`Next value`, { least: 1, most: highestValue }),
};

interface Drafted {
  prefix: string | undefined;
  pattern: string;
  resetOn: Reset | undefined;
}
const checkPattern = rule<Drafted>(({ pattern, prefix = '', resetOn = 'never' }, say) => {
  const problem = pattern && patternProblem({ pattern, prefix, resetOn });
  if (problem) say('pattern', problem);
});

const access = [admin()];
const path = '/academic/number-series';
const years = z.object({ academicYear: z.string(), financialYear: z.string() });
const series = z.object({
  id: z.number(),
  code: z.string(),
  words: anyText,
  /** The branch that has it of its own; '' for the school's. */
  branch: z.string(),
  prefix: z.string(),
  pattern: z.string(),
  resetOn: z.enum(resets),
  isGapless: z.boolean(),
  nextValue: z.number(),
  /** Numbers of this period were issued, so its next value can’t be raised: that would leave a gap. */
  isFixed: z.boolean(),
  /** The next value if `resetOn` is changed. */
  carriedValue: z.number(),
  rowVersion: z.number(),
});
export type NumberSeries = z.infer<typeof series>;

export const numberSeriesApi = {
  /** Every series with its next value in the current years, and the names of these years. */
  list: endpoint({
    method: 'GET',
    path,
    access,
    shows: ['number-series', 'year'],
    input: z.object({}),
    output: z.object({
      rows: z.array(series),
      years,
      /** Those of which a branch may have one of its own. */
      ofBranches: z.array(z.object({ code: z.string(), words: anyText })),
    }),
  }),
  history: historyOf(path, access, ['number-series']),
  /** Gives a branch a series of its own; it starts with the given value. */
  create: endpoint({
    method: 'POST',
    path,
    access,
    changes: ['number-series'],
    input: z
      .object({
        code: freeText(text`Series`, 60),
        branchId: neededId(text`Branch`),
        ...numberSeriesDraft,
      })
      .check(checkPattern),
    output: z.object({ id: z.number() }),
  }),
  save: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access,
    changes: ['number-series'],
    input: z
      .object({ ...numberSeriesDraft, id, rowVersion: id, /** The next value that was shown. */ seenValue: id })
      .check(checkPattern),
    output: z.object({ rowVersion: z.number() }),
  }),
};
