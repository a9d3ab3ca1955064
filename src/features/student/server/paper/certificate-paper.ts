import { ToWords } from 'to-words/en-IN';
import { monthNames, showDate } from '#kit/contract/day.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import { openTemplate, type PaperData, type PaperHead, type Signature } from '#kit/server/paper/paper.ts';
import { type QrCode, qrCode } from '#kit/server/paper/qr-code.ts';
import type { CertificateKind } from '../../contract/certificate.ts';

/** What a certificate says, as it was when it was made; an empty text is left out. */
export interface CertificateFacts {
  grNo: string;
  udiseUid: string;
  pen: string;
  name: string;
  father: string;
  mother: string;
  nationality: string;
  motherTongue: string;
  religion: string;
  caste: string;
  birthPlace: string;
  birthDate: string;
  lastSchool: string;
  admittedOn: string;
  admittedClass: string;
  /** The class of the last day or of today, and the first day in its grade. */
  currentClass: string;
  since: string;
  year: string;
  progress: string;
  conduct: string;
  /** '' while the student is enrolled. */
  lastDay: string;
  reason: string;
  remark: string;
}

interface Certificate extends PaperData {
  stamp?: Text;
  facts: [Text, string][];
  paragraphs: Text[];
  entries: [Text, string][];
  closing: Text[];
  signatures: Signature[];
  code: QrCode;
  foot: Text;
}
export const certificateTemplate = openTemplate<Certificate>(new URL('./certificate.typ', import.meta.url));

const speller = new ToWords();

/** A day as certificates spell it: "Twenty-ninth November Two Thousand Twenty". */
export function dayInWords(date: string): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const [first = '', ...more] = speller.toOrdinal(day).split(' ');
  return `${[first, ...more.map((word) => word.toLowerCase())].join('-')} ${monthNames[month - 1]} ${speller.convert(year)}`;
}

interface Made {
  kind: CertificateKind;
  number: string;
  issuedOn: string;
  purpose: string;
  facts: CertificateFacts;
  stamp?: Text | undefined;
}

/** What the paper of a certificate is set from. */
export function certificatePaper(
  head: PaperHead,
  { kind, number, issuedOn, purpose, facts, stamp }: Made,
): Certificate {
  const day = showDate(issuedOn);
  return {
    head,
    title: kind === 'Leaving' ? text`School leaving certificate` : text`Bonafide certificate`,
    ...(stamp && { stamp }),
    facts: [
      [text`Certificate number`, number],
      [text`Date`, day],
    ],
    paragraphs: kind === 'Leaving' ? [] : bonafideWords(facts, purpose),
    entries: kind === 'Leaving' ? leavingEntries(facts) : bonafideEntries(facts),
    closing:
      kind === 'Leaving'
        ? [
            text`The entries above are those of the school’s general register. A change of them without authority is an offence.`,
          ]
        : [],
    signatures: [
      { who: text`Prepared by` },
      { who: head.principal ? text`Principal: ${{ name: head.principal }}` : text`Principal`, ...signed(head) },
    ],
    code: qrCode(`${number} ${issuedOn} ${facts.grNo}`),
    foot: verbatim(number),
  };
}

const signed = ({ signature }: PaperHead) => (signature ? { picture: signature } : {});

/** Numbered, without those that are not recorded. */
const numbered = (entries: [Text, string][]): [Text, string][] => entries.filter(([, value]) => value !== '');

const leavingEntries = (facts: CertificateFacts) =>
  numbered([
    [text`General register number`, facts.grNo],
    [text`UDISE student number`, facts.udiseUid],
    [text`Permanent education number (PEN)`, facts.pen],
    [text`Name of the student`, facts.name],
    [text`Father’s name`, facts.father],
    [text`Mother’s name`, facts.mother],
    [text`Nationality`, facts.nationality],
    [text`Mother tongue`, facts.motherTongue],
    [text`Religion`, facts.religion],
    [text`Caste`, facts.caste],
    [text`Place of birth`, facts.birthPlace],
    [text`Birth date`, `${showDate(facts.birthDate)}\n${dayInWords(facts.birthDate)}`],
    [text`Last school attended`, facts.lastSchool],
    [text`Admitted on`, showDate(facts.admittedOn)],
    [text`Class at admission`, facts.admittedClass],
    [text`Class at leaving, and since`, `${facts.currentClass}, ${showDate(facts.since)}`],
    [text`Progress`, facts.progress],
    [text`Conduct`, facts.conduct],
    [text`Last day at the school`, facts.lastDay && showDate(facts.lastDay)],
    [text`Reason for leaving`, facts.reason],
    [text`Remark`, facts.remark],
  ]);

const bonafideEntries = (facts: CertificateFacts) =>
  numbered([
    [text`General register number`, facts.grNo],
    [text`Father’s name`, facts.father],
    [text`Mother’s name`, facts.mother],
    [text`Birth date`, `${showDate(facts.birthDate)}\n${dayInWords(facts.birthDate)}`],
    [text`Admitted on`, showDate(facts.admittedOn)],
  ]);

function bonafideWords(facts: CertificateFacts, purpose: string): Text[] {
  const { name, currentClass, year, lastDay } = facts;
  const values = { name, currentClass, year };
  return [
    lastDay
      ? text`This is to certify that ${{ name: values.name }} was a student of this school until ${{ day: showDate(lastDay) }}, last in ${{ currentClass }} in the academic year ${{ year }}.`
      : text`This is to certify that ${{ name: values.name }} is a bonafide student of this school in ${{ currentClass }} in the academic year ${{ year }}.`,
    ...(purpose ? [text`This certificate is issued for: ${{ purpose }}`] : []),
  ];
}
