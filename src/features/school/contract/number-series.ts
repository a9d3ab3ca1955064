import * as z from 'zod/mini';
import { admin } from '#features/account/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { fieldInfo, id, optionalText, rule, text } from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { highestValue, type NumberForm, patternProblem, resets } from '#kit/contract/numbering.ts';
import { wholeNumber } from '#kit/contract/shell-fields.ts';

/** What each series of the product numbers. */
export const seriesWords: Record<string, string> = { inquiry: 'Inquiries' };

/** How a series counts on. */
export const resetWords = {
  never: 'Goes on for ever',
  academicYear: 'Begins at 1 each academic year',
  financialYear: 'Begins at 1 each financial year',
} as const satisfies Record<NumberForm['resetOn'], string>;

const resetRequired = 'Choose how the series counts.';

export const numberSeriesDraft = {
  prefix: optionalText('Prefix', 20, {
    like: /^[A-Za-z0-9/._-]+$/,
    unlike: 'A prefix has only letters, digits and the signs / - . _',
  }),
  pattern: text('Pattern', 60),
  resetOn: z
    .enum(resets, { error: resetRequired })
    .register(fieldInfo, { label: 'Count', optional: false, messages: [resetRequired] }),
  nextValue: wholeNumber('Next value', { least: 1, most: highestValue }),
};

const access = [admin()];
const path = '/academic/number-series';
const years = z.object({ academicYear: z.string(), financialYear: z.string() });
const series = z.object({
  id: z.number(),
  code: z.string(),
  prefix: z.string(),
  pattern: z.string(),
  resetOn: z.enum(resets),
  isGapless: z.boolean(),
  nextValue: z.number(),
  /** Where the series goes on if it began anew at another time. */
  carriedValue: z.number(),
  rowVersion: z.number(),
});
export type NumberSeries = z.infer<typeof series>;

export const numberSeriesApi = {
  /** Every series with its next value in the present years, and what these are called. */
  list: endpoint({
    method: 'GET',
    path,
    access,
    shows: ['number-series', 'year'],
    input: z.object({}),
    output: z.object({ rows: z.array(series), years }),
  }),
  history: historyOf(path, access, ['number-series']),
  save: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access,
    changes: ['number-series'],
    input: z
      .object({ ...numberSeriesDraft, id, rowVersion: id, /** The next value that was shown. */ seenValue: id })
      .check(
        rule(({ pattern, prefix = '', resetOn = 'never' }, say) => {
          const problem = pattern && patternProblem({ pattern, prefix, resetOn });
          if (problem) say('pattern', problem);
        }),
      ),
    output: z.object({ rowVersion: z.number() }),
  }),
};
