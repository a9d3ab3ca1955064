// In a file of its own, so that a page that only shows amounts need not load how they are read.

const rupeeNumber = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
/** A whole number with two decimals of its hundredths: 12550 is "125.50". Exact: no fraction is computed. */
export function decimalOf(hundredths: number): `${number}` {
  const digits = String(Math.abs(hundredths)).padStart(3, '0');
  return `${hundredths < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}` as `${number}`;
}

/** Paise for people to read, grouped as in India: ₹1,25,000.00; a negative amount as -₹100.00. */
export function showMoney(paise: number): string {
  const shown = rupeeNumber.format(decimalOf(Math.abs(paise)));
  return `${paise < 0 ? '-' : ''}₹${shown}`;
}

/** An amount as a sentence or a figure says it: whole rupees without their paise, ₹12,500. */
export const showRupees = (paise: number): string => showMoney(paise).replace(/\.00$/, '');
