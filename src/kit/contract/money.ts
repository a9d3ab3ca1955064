// Amounts of money and percentages, both as whole numbers (decision 0141). A separate module, so that a phone that fills
// in the parents' form need not load it.
import * as z from 'zod/mini';
import { asCode, because, fieldInfo, isRequired } from './fields.ts';
import { decimalOf, showMoney, showRupees } from './show-money.ts';
import { type Text, text } from './text.ts';

export { showMoney, showRupees };

/** The highest amount of one entry, in paise: ₹9,00,00,00,00,000. */
export const mostMoney = 90_000_000_000_000;
/** 100 % in hundredths of a percent. */
export const wholePercent = 10_000;

const rupeeSign = /^(?:₹|rs\.?|inr|rupees?)\s?/i;
/** What people write behind an amount: “/-”, a sign or word for rupees, or “only”. */
const signBehind = /\s?(?:\/[-=]|₹|rs|inr|rupees?|only)$/i;

/** Paise as they are typed into a box: 1,25,000 or 1,25,000.50. */
export const typedMoney = (paise: number): string => showRupees(paise).replace('₹', '');

/** Hundredths of a percent for people to read: 33.33 %, 20 %. */
export const showPercent = (hundredths: number): string => `${typedPercent(hundredths)} %`;

/** Hundredths of a percent as they are typed into a box: 33.33, 20. */
export const typedPercent = (hundredths: number): string =>
  decimalOf(hundredths)
    .replace(/\.00$/, '')
    .replace(/(\.[0-9])0$/, '$1');

/** The number of an amount, without what people write before and behind it: "Rs. 5,000/- only" is "5,000". */
function bareAmount(typed: string): string {
  let bare = typed.replace(rupeeSign, '').replace(/\.$/, '');
  for (let before = ''; before !== bare; ) {
    before = bare;
    bare = bare.replace(signBehind, '');
  }
  return bare;
}

/** Characters of an amount with its sign, spaces and grouping; a longer text is none, and is not taken apart. */
const longestAmount = 60;

/**
 * The paise of a typed amount of rupees: 1,25,000.50, 125000.5, ₹ 500, 5,000/- or ૫૦૦. Undefined for other text, for more
 * than two decimals, and for commas or spaces that do not group digits.
 */
export function readMoney(typed: string): number | undefined {
  if (typed.length > longestAmount) return undefined;
  const [whole = '', decimals, ...more] = bareAmount(String(asCode(typed))).split('.');
  const groups = whole.split(/[, ]/);
  const isGrouped = groups.every((group, place) =>
    groups.length === 1
      ? /^[0-9]{1,12}$/.test(group)
      : place === groups.length - 1
        ? /^[0-9]{3}$/.test(group)
        : /^[0-9]{1,3}$/.test(group),
  );
  if (more.length > 0 || !isGrouped || groups.length > 6) return undefined;
  return hundredthsOf(groups.join(''), decimals);
}

/** The hundredths of a typed percentage: 33.33, 20 or 20 %. Undefined for other text and more than two decimals. */
export function readPercent(typed: string): number | undefined {
  const [whole = '', decimals, ...more] = String(asCode(typed)).replace(/\s?%$/, '').split('.');
  return more.length > 0 || !/^[0-9]{1,3}$/.test(whole) ? undefined : hundredthsOf(whole, decimals);
}

function hundredthsOf(whole: string, decimals = '0'): number | undefined {
  return /^[0-9]{1,2}$/.test(decimals) ? Number(whole + decimals.padEnd(2, '0')) : undefined;
}

interface Limits {
  least?: number;
  most?: number;
  optional?: boolean;
}

/** An amount in paise, or a text as `readMoney` reads it; null where it is optional and empty. Limits are paise. */
export const money = (label: Text, { least = 0, most = mostMoney, optional = false }: Limits = {}) =>
  hundredths(label, readMoney, {
    least,
    most,
    optional,
    wrong: text`Enter an amount, such as 1,25,000.50.`,
    outside: text`Enter an amount from ${{ least: showMoney(least) }} to ${{ most: showMoney(most) }}.`,
  });

/** Hundredths of a percent, or a text as `readPercent` reads it; null where it is optional and empty. */
export const percent = (label: Text, { least = 0, most = wholePercent, optional = false }: Limits = {}) =>
  hundredths(label, readPercent, {
    least,
    most,
    optional,
    wrong: text`Enter a percentage, such as 12.5.`,
    outside: text`Enter a percentage from ${{ least: typedPercent(least) }} to ${{ most: typedPercent(most) }}.`,
  });

interface Kind {
  least: number;
  most: number;
  optional: boolean;
  wrong: Text;
  outside: Text;
}

function hundredths(
  label: Text,
  read: (typed: string) => number | undefined,
  { least, most, optional, wrong, outside }: Kind,
) {
  const isWhole = (value: unknown) => value === null || Number.isSafeInteger(value);
  const isWithin = (value: number | null) => value === null || !isWhole(value) || (value >= least && value <= most);
  const schema = z.pipe(
    z.transform((value) => {
      const typed = asCode(value);
      if (typed === '') return null;
      return typeof typed === 'string' ? (read(typed) ?? typed) : typed;
    }),
    z
      .custom<number | null>(isWhole, because(wrong))
      .check(z.refine((value) => optional || value !== null, because(isRequired(label))))
      .check(z.refine(isWithin, because(outside))),
  );
  return schema.register(fieldInfo, { label, optional });
}
