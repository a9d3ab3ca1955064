import { ToWords } from 'to-words/en-IN';
import { monthNames, showDate } from '#kit/contract/day.ts';
import { english, type Text, text, verbatim } from '#kit/contract/text.ts';
import type { CertificateKind, CertificateWords } from '#kit/server/context.ts';
import { openTemplate, type PaperData, type PaperHead, type Signature } from '#kit/server/paper/paper.ts';
import { type QrCode, qrCode } from '#kit/server/paper/qr-code.ts';
import { type RegisterName, registerFields } from '../../contract/correction.ts';
import type { CertificateFacts, PrintedCorrection } from './certificate-facts.ts';

interface Page extends CertificateWords {
  title: Text;
  stamp?: Text;
  facts: [Text, string][];
  signatures: Signature[];
  code: QrCode;
  foot: Text;
}
/** A certificate, or several of one kind, a page each. */
interface Certificates extends PaperData {
  pages: Page[];
}
export const certificateTemplate = openTemplate<Certificates>(new URL('./certificate.typ', import.meta.url));

const speller = new ToWords();

/** A day as certificates spell it: "Twenty-ninth November Two Thousand Twenty". */
export function dayInWords(date: string): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const [first = '', ...more] = speller.toOrdinal(day).split(' ');
  return `${[first, ...more.map((word) => word.toLowerCase())].join('-')} ${monthNames[month - 1]} ${speller.convert(year)}`;
}

/** A certificate as the database keeps it. */
export interface Kept {
  number: string;
  issuedOn: string;
  facts: object;
  details: Readonly<Record<string, string>>;
  /** The address that proves it; '' for one from before there were such codes. */
  proof: string;
  stamp?: Text | undefined;
}

/** What a certificate says, without entries that are not recorded. */
export function wordsOf(kind: CertificateKind, facts: object, details: Kept['details']): CertificateWords {
  const { entries, closing, paragraphs } = kind.words(facts as never, details);
  const { corrections = [] } = facts as Partial<CertificateFacts>;
  const printed = corrections.filter(({ field }) => kind.kind === 'Leaving' || onEvery.includes(field));
  return {
    paragraphs,
    entries: entries.filter(([, value]) => value !== ''),
    closing: [...printed.map(correctionLine), ...closing],
  };
}

/** The entries that every kind of certificate prints. */
const onEvery = ['firstName', 'middleName', 'lastName', 'birthDate'];

function correctionLine({ field, was, on, orderNo, orderOn, authority }: PrintedCorrection): Text {
  const label = english(registerFields[field as RegisterName].label);
  const [first, day] = [was || '–', showDate(on)];
  return orderNo === ''
    ? text`${{ label }} first entered as ${{ first }}; corrected on ${{ day }}.`
    : text`${{ label }} first entered as ${{ first }}; corrected on ${{ day }} by order ${{ orderNo }} of ${{ orderDay: showDate(orderOn) }} (${{ authority }}).`;
}

/** What the paper of certificates of one kind is set from. */
export const certificatePaper = (head: PaperHead, kind: CertificateKind, kept: readonly Kept[]): Certificates => ({
  head,
  title: kind.title,
  pages: kept.map((one) => ({
    title: kind.title,
    ...(one.stamp && { stamp: one.stamp }),
    facts: [
      [text`Certificate number`, one.number],
      [text`Date`, showDate(one.issuedOn)],
    ],
    ...wordsOf(kind, one.facts, one.details),
    signatures: [
      { who: text`Prepared by` },
      { who: head.principal ? text`Principal: ${{ name: head.principal }}` : text`Principal`, ...signed(head) },
    ],
    code: qrCode(one.proof || `${one.number} ${one.issuedOn} ${(one.facts as { grNo?: string }).grNo ?? ''}`),
    foot: verbatim(one.number),
  })),
});

const signed = ({ signature }: PaperHead) => (signature ? { picture: signature } : {});
