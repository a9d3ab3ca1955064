import { readDay } from '#kit/contract/day.ts';
import { isRealDate } from '#kit/contract/fields.ts';
import { readMoney } from '#kit/contract/money.ts';
import { cleanCode } from '#kit/contract/typed.ts';

/** An amount of a statement in paise, never negative, and its side where the cell says it. */
interface BankAmount {
  paise: number;
  side: '' | 'Cr' | 'Dr';
}

const sideOf = (word: string): BankAmount['side'] => {
  const letter = word.trim().slice(0, 1).toLowerCase();
  return letter === 'c' ? 'Cr' : letter === 'd' ? 'Dr' : '';
};

/** Whether a cell says credit or debit: C, CR, Cr., Credit, DR, Debit. */
export const readSide = (cell: string): BankAmount['side'] =>
  /^(?:c|cr|credit|d|dr|debit)\.?$/i.test(cell.trim()) ? sideOf(cell) : '';

/**
 * An amount as banks write it: 1,25,000.50, 500.00 Cr, (500.00), -500 or Rs. 500/-. An empty cell and a dash are nothing.
 * Undefined for other text.
 */
export function readBankAmount(cell: string): BankAmount | undefined {
  let left = cell.trim();
  if (/^[-–—]*$/.test(left)) return { paise: 0, side: '' };
  let side: BankAmount['side'] = '';
  const behind = /\(?(cr|dr|c|d)\.?\)?$/i.exec(left);
  const before = /^\(?(cr|dr)\.?\)?(?= |[0-9₹])/i.exec(left);
  const word = behind ?? before;
  if (word) {
    side = sideOf(word[1] ?? '');
    left = (behind ? left.slice(0, behind.index) : left.slice(word[0].length)).trim();
  }
  const inBrackets = /^\((.*)\)$/.exec(left);
  if (inBrackets) {
    side = 'Dr';
    left = (inBrackets[1] ?? '').trim();
  }
  if (/^[-+]/.test(left)) {
    if (left.startsWith('-')) side = 'Dr';
    left = left.slice(1).trim();
  }
  const paise = readMoney(left);
  return paise === undefined ? undefined : { paise, side };
}

/** A day as banks write it, as YYYY-MM-DD: 01/04/2026, 01-Apr-26, 1 Apr 2026, and any of them with a time. */
export function readBankDay(cell: string): string | undefined {
  const typed = cleanCode(cell).replace(/[ T]?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: ?[AP]M)?$/i, '');
  const short = /^([0-9]{1,2}[-/. ](?:[0-9]{1,2}|[A-Za-z]{3,9})[-/. ])([0-9]{2})$/.exec(typed);
  const found = readDay(short ? `${short[1]}20${short[2]}` : typed);
  const day = found && `${found.year}-${found.month}-${found.day}`;
  return day && isRealDate(day) ? day : undefined;
}

/** The most words of a line. */
const mostTokens = 80;

/**
 * The words of letters and digits of a line, in capitals, by which a whole reference is found; a number that a bank filled
 * up with zeros also without them.
 */
export function tokensOf(narration: string, reference: string): string[] {
  const words = `${narration} ${reference}`.toUpperCase().split(/[^A-Z0-9]+/);
  const whole = reference.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const all = [...words, whole].flatMap((word) => [word, word.replace(/^0+(?=[0-9A-Z]{6})/, '')]);
  return [...new Set(all)].filter((word) => word.length >= 2).slice(0, mostTokens);
}
