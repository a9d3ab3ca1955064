import { typedPercent } from '#kit/contract/money.ts';
import type { FrequencyRow } from '../contract/frequency.ts';

/** An instalment as it is typed. */
export interface TypedRow {
  key: string;
  label: string;
  fromMonth: string;
  months: string;
  dueMonth: string;
  dueDay: string;
  share: string;
}

/** An empty instalment. */
export const typedRow = (): TypedRow => ({
  key: crypto.randomUUID(),
  label: '',
  fromMonth: '',
  months: '1',
  dueMonth: '',
  dueDay: '10',
  share: '',
});

/** The number in a box; undefined where it has none. */
export const numberIn = (typed: string): number | undefined =>
  /^[0-9]{1,3}$/.test(typed.trim()) ? Number(typed) : undefined;

/** Boxes hold text. The labels of usual instalments are set once the working year is known. */
export const typedRows = (rows: readonly (Omit<FrequencyRow, 'label'> & { label?: string })[]): TypedRow[] =>
  rows.map(({ label = '', fromMonth, months, dueMonth, dueDay, share }) => ({
    ...typedRow(),
    label,
    fromMonth: String(fromMonth),
    months: String(months),
    dueMonth: String(dueMonth),
    dueDay: String(dueDay),
    share: share === null ? '' : typedPercent(share),
  }));
