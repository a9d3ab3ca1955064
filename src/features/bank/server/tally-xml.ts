import { mapRows } from '#kit/server/map-rows.ts';

/** A line of a voucher; a debit is negative, as in Tally. */
export interface VoucherLine {
  ledger: string;
  amount: number;
}

export interface Voucher {
  /** By which Tally knows the voucher again. */
  remoteId: string;
  type: 'Receipt' | 'Payment' | 'Journal' | 'Contra';
  day: string;
  number: string;
  narration: string;
  /** A cancelled voucher keeps its number and has no lines. */
  isCancelled: boolean;
  lines: readonly VoucherLine[];
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** XML 1.0 knows no control characters but tab and line ends, and no two of the last letters. */
const isXml = (letter: string) => {
  const code = letter.codePointAt(0) ?? 0;
  return (code >= 32 || code === 9 || code === 10 || code === 13) && code !== 0xfffe && code !== 0xffff;
};

/** A text inside XML; characters that XML does not know are left out. */
export const escapeXml = (words: string): string =>
  [...words].map((letter) => (isXml(letter) ? (escapes[letter] ?? letter) : '')).join('');

const element = (name: string, words: string) => `<${name}>${escapeXml(words)}</${name}>`;

/** Paise as rupees with two places. */
function rupees(paise: number): string {
  const digits = String(Math.abs(paise)).padStart(3, '0');
  return `${paise < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const lineOf = ({ ledger, amount }: VoucherLine) =>
  `<ALLLEDGERENTRIES.LIST>${element('LEDGERNAME', ledger)}${element('ISDEEMEDPOSITIVE', amount < 0 ? 'Yes' : 'No')}${element('AMOUNT', rupees(amount))}</ALLLEDGERENTRIES.LIST>`;

function voucherXml({ remoteId, type, day, number, narration, isCancelled, lines }: Voucher): string {
  const attributes = `REMOTEID="${escapeXml(remoteId)}" VCHTYPE="${type}" ACTION="Create" OBJVIEW="Accounting Voucher View"`;
  const parts = [
    element('DATE', day.replaceAll('-', '')),
    element('GUID', remoteId),
    element('VOUCHERTYPENAME', type),
    element('VOUCHERNUMBER', number),
    element('NARRATION', narration),
    element('ISCANCELLED', isCancelled ? 'Yes' : 'No'),
    ...lines.map(lineOf),
  ];
  return `<TALLYMESSAGE xmlns:UDF="TallyUDF"><VOUCHER ${attributes}>${parts.join('')}</VOUCHER></TALLYMESSAGE>`;
}

/** Vouchers as a file of Tally, the same bytes each time. The company is the one that is open there, unless it is named. */
export async function tallyXml(company: string, vouchers: readonly Voucher[]): Promise<Buffer> {
  const of = company === '' ? '' : `<STATICVARIABLES>${element('SVCURRENTCOMPANY', company)}</STATICVARIABLES>`;
  const head = `<?xml version="1.0" encoding="UTF-8"?>\n<ENVELOPE><HEADER><TALLYREQUEST>Import Data</TALLYREQUEST></HEADER><BODY><IMPORTDATA><REQUESTDESC><REPORTNAME>Vouchers</REPORTNAME>${of}</REQUESTDESC><REQUESTDATA>`;
  const parts = await mapRows(vouchers, voucherXml);
  return Buffer.from(`${[head, ...parts].join('\n')}\n</REQUESTDATA></IMPORTDATA></BODY></ENVELOPE>\n`);
}
