import { showDay } from '#kit/contract/format.ts';
import type { Language } from '#kit/contract/languages.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { CertificateKind } from '#kit/server/context.ts';
import { say } from '#kit/server/language/say.ts';
import { headIn, openTemplate, type PaperData, type PaperHead, type Signature } from '#kit/server/paper/paper.ts';
import { type QrCode, qrCode } from '#kit/server/paper/qr-code.ts';
import type { RegisterName } from '../../contract/correction.ts';
import type { CertificateFacts, PrintedCorrection } from './certificate-facts.ts';
import { factsIn, languagesOf } from './certificate-language.ts';

/** What a certificate says, written in its languages. */
interface CertificatePage {
  title: string;
  paragraphs: string[];
  entries: [label: string, value: string][];
  closing: string[];
}

interface Page extends CertificatePage {
  stamp?: string;
  facts: [string, string][];
  signatures: Signature[];
  code: QrCode;
  foot: string;
}
/** A certificate, or several of one kind, a page each. */
interface Certificates extends PaperData {
  pages: Page[];
  /** In two languages: a page is set as small as it needs. */
  isFitted: boolean;
}
export const certificateTemplate = openTemplate<Certificates>(new URL('./certificate.typ', import.meta.url));

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

/** What a certificate says, without entries that are not recorded; in two languages one beside the other. */
export function wordsOf(kind: CertificateKind, facts: object, details: Kept['details']): CertificatePage {
  const pages = languagesOf(details.language).map((language) => wordsIn(language, kind, facts, details));
  const page = pages.reduce((first, second) => ({
    title: beside(first.title, second.title),
    paragraphs: [...first.paragraphs, ...second.paragraphs],
    entries: first.entries.map(([label, value], index) => {
      const [otherLabel = '', otherValue = ''] = second.entries[index] ?? [];
      return [beside(label, otherLabel), beside(value, otherValue)];
    }),
    closing: [...first.closing, ...second.closing],
  }));
  return { ...page, entries: page.entries.filter(([, value]) => value !== '') };
}

function wordsIn(language: Language, kind: CertificateKind, facts: object, details: Kept['details']): CertificatePage {
  const write = say(language);
  const { entries, closing, paragraphs } = kind.words(factsIn(facts, language) as never, { ...details, language });
  const { corrections = [] } = facts as Partial<CertificateFacts>;
  const printed = corrections.filter(
    ({ field }) =>
      (kind.kind === 'Leaving' || onEvery.includes(field)) && (language !== 'en' || !field.endsWith('Local')),
  );
  return {
    title: write(kind.title),
    paragraphs: paragraphs.map(write),
    entries: entries.map(([label, value]) => [write(label), value]),
    closing: [...printed.map((one) => correctionLine(one, language)), ...closing].map(write),
  };
}

/** Two texts line by line; those that are equal once. */
function beside(first: string, second: string): string {
  const others = second.split('\n');
  const pair = (line: string, other = '') => [...new Set([line, other])].filter(Boolean).join(' / ');
  return first
    .split('\n')
    .map((line, index) => pair(line, others[index]))
    .join('\n');
}

/** A text in each language of a certificate. */
const inAll = (one: Text, languages: readonly Language[]) =>
  languages.map((language) => say(language)(one)).reduce(beside);

/** The entries that every kind of certificate prints. */
const onEvery = [
  ...['firstName', 'middleName', 'lastName', 'birthDate'],
  ...['firstNameLocal', 'middleNameLocal', 'lastNameLocal'],
];

const entryNames: Record<RegisterName, Text> = {
  firstName: text`First name`,
  middleName: text`Middle name`,
  lastName: text`Last name`,
  firstNameLocal: text`First name`,
  middleNameLocal: text`Middle name`,
  lastNameLocal: text`Last name`,
  gender: text`Gender`,
  birthDate: text`Birth date`,
  birthPlace: text`Birth place`,
  birthPlaceLocal: text`Birth place`,
  nationalityId: text`Nationality`,
  motherTongueId: text`Mother tongue`,
  religionId: text`Religion`,
  casteCategoryId: text`Caste category`,
  caste: text({ message: 'Caste', context: 'certificate' }),
  subCaste: text`Sub caste`,
};

function correctionLine({ field, was, on, orderNo, orderOn, authority }: PrintedCorrection, language: Language): Text {
  const label = entryNames[field as RegisterName];
  const [first, day] = [was || '–', showDay(on, language)];
  return orderNo === ''
    ? text`${{ label }} first entered as ${{ first }}; corrected on ${{ day }}.`
    : text`${{ label }} first entered as ${{ first }}; corrected on ${{ day }} by order ${{ orderNo }} of ${{ orderDay: showDay(orderOn, language) }} (${{ authority }}).`;
}

/** What is printed across a duplicate, and across a certificate that is void. */
export const duplicateStamp = (count: number): Text => text`Duplicate ${{ count }}`;
export const voidStamp = text`Void`;

/** What the paper of certificates of one kind and language is set from. */
export function certificatePaper(head: PaperHead, kind: CertificateKind, kept: readonly Kept[]): Certificates {
  const languages = languagesOf(kept[0]?.details.language);
  const write = (one: Text) => inAll(one, languages);
  const day = (date: string) => languages.map((language) => showDay(date, language)).reduce(beside);
  const principal = head.principal ? text`Principal: ${{ name: head.principal }}` : text`Principal`;
  return {
    head: headIn(head, languages),
    title: verbatim(write(kind.title)),
    language: languages[0],
    isFitted: languages.length > 1,
    pages: kept.map((one) => ({
      ...wordsOf(kind, one.facts, one.details),
      ...(one.stamp && { stamp: write(one.stamp) }),
      facts: [
        [write(text`Certificate number`), one.number],
        [write(text`Date`), day(one.issuedOn)],
      ],
      signatures: [
        { who: verbatim(write(text`Prepared by`)) },
        { who: verbatim(write(principal)), ...(head.signature && { picture: head.signature }) },
      ],
      code: qrCode(one.proof || `${one.number} ${one.issuedOn} ${(one.facts as { grNo?: string }).grNo ?? ''}`),
      foot: one.number,
    })),
  };
}
