import { sql } from 'kysely';
import { showDay } from '#kit/contract/format.ts';
import type { Language } from '#kit/contract/languages.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { CertificateDetails, CertificateKind, CertificateWords } from '#kit/server/context.ts';
import { certificateTitles } from '../../contract/certificate-titles.ts';
import { personalFields } from '../../contract/record.ts';
import type { CertificateFacts } from './certificate-facts.ts';
import { dayInWords } from './day-in-words.ts';

const family = [
  { fact: 'father', label: text`Father’s name`, part: 'family' },
  { fact: 'mother', label: text`Mother’s name`, part: 'family' },
];

const bornOn = ({ birthDate }: CertificateFacts, language: Language): [Text, string] => [
  text`Birth date`,
  `${showDay(birthDate, language)}\n${dayInWords(birthDate, language)}`,
];
const parents = ({ father, mother }: CertificateFacts): [Text, string][] => [
  [text`Father’s name`, father],
  [text`Mother’s name`, mother],
];
const forPurpose = (purpose = '') => (purpose ? [text`This certificate is issued for: ${{ purpose }}`] : []);
const registerLine = text`The entries above are those of the school’s general register. A change of them without authority is an offence.`;

const leaving: CertificateKind = {
  kind: 'Leaving',
  title: text`School leaving certificate`,
  series: 'leaving-certificate',
  expects: [
    ...family,
    { fact: 'nationality', label: personalFields.nationalityId.label, part: 'personal' },
    { fact: 'motherTongue', label: personalFields.motherTongueId.label, part: 'personal' },
    { fact: 'religion', label: personalFields.religionId.label, part: 'personal' },
    { fact: 'caste', label: personalFields.caste.label, part: 'personal' },
    { fact: 'birthPlace', label: personalFields.birthPlace.label, part: 'personal' },
    { fact: 'udiseUid', label: text`UDISE student UID`, part: 'identity' },
    { fact: 'pen', label: text`PEN`, part: 'identity' },
    { fact: 'lastSchool', label: text`Last school attended`, part: 'schooling' },
  ],
  words: (facts: CertificateFacts, { language }: CertificateDetails): CertificateWords => ({
    paragraphs: [],
    entries: [
      [text`General register number`, facts.grNo],
      [text`UDISE student number`, facts.udiseUid],
      [text`Permanent education number (PEN)`, facts.pen],
      [text`Name of the student`, facts.name],
      ...parents(facts),
      [text`Nationality`, facts.nationality],
      [text`Mother tongue`, facts.motherTongue],
      [text`Religion`, facts.religion],
      [text({ message: 'Caste', context: 'certificate' }), facts.caste],
      [text`Place of birth`, facts.birthPlace],
      bornOn(facts, language),
      [text`Last school attended`, facts.lastSchool],
      [text`Admitted on`, showDay(facts.admittedOn, language)],
      [text`Class at admission`, facts.admittedClass],
      [text`Class at leaving, and since`, `${facts.currentClass}, ${showDay(facts.since, language)}`],
      [text`Progress`, facts.progress],
      [text`Conduct`, facts.conduct],
      [text`Last day at the school`, facts.lastDay && showDay(facts.lastDay, language)],
      [text`Reason for leaving`, facts.reason],
      [text`Remark`, facts.remark],
    ],
    closing: [registerLine],
  }),
};

const bonafide: CertificateKind = {
  kind: 'Bonafide',
  title: certificateTitles.Bonafide,
  series: 'bonafide',
  expects: family,
  words: (facts: CertificateFacts, { language, purpose }: CertificateDetails): CertificateWords => {
    const { name, currentClass, year, lastDay } = facts;
    return {
      paragraphs: [
        lastDay
          ? text`This is to certify that ${{ name }} was a student of this school until ${{ day: showDay(lastDay, language) }}, last in ${{ currentClass }} in the academic year ${{ year }}.`
          : text`This is to certify that ${{ name }} is a bonafide student of this school in ${{ currentClass }} in the academic year ${{ year }}.`,
        ...forPurpose(purpose),
      ],
      entries: [
        [text`General register number`, facts.grNo],
        ...parents(facts),
        bornOn(facts, language),
        [text`Admitted on`, showDay(facts.admittedOn, language)],
      ],
      closing: [],
    };
  },
};

const character: CertificateKind = {
  kind: 'Character',
  title: certificateTitles.Character,
  series: 'character',
  expects: family,
  words: (facts: CertificateFacts, { language, conduct = '', purpose }: CertificateDetails): CertificateWords => {
    const { name, currentClass, year, admittedOn, lastDay } = facts;
    const since = showDay(admittedOn, language);
    return {
      paragraphs: [
        lastDay
          ? text`This is to certify that ${{ name }} was a student of this school from ${{ since }} to ${{ day: showDay(lastDay, language) }}, last in ${{ currentClass }}.`
          : text`This is to certify that ${{ name }} has been a student of this school since ${{ since }}, now in ${{ currentClass }} in the academic year ${{ year }}.`,
        text`To the best of our knowledge, conduct and character: ${{ conduct }}`,
        ...forPurpose(purpose),
      ],
      entries: [[text`General register number`, facts.grNo], ...parents(facts), bornOn(facts, language)],
      closing: [],
    };
  },
};

interface StudyFacts extends CertificateFacts {
  classes: { year: string; grade: string; from: string; until: string }[];
}

/** The years at the school, for a proof of residence. */
const study: CertificateKind = {
  kind: 'Study',
  title: certificateTitles.Study,
  series: 'study',
  expects: [...family, { fact: 'birthPlace', label: personalFields.birthPlace.label, part: 'personal' }],
  readMore: async ({ db }, ids) => {
    const { rows } = await sql<{ id: number; classes: StudyFacts['classes'] }>`
      select own.student_id as id, jsonb_agg(jsonb_build_object('year', year.name, 'grade', grade.name,
          'from', greatest(own.joined_on, year.starts_on)::text, 'until', coalesce(own.left_on::text, '')) order by own.joined_on) as classes
      from student_enrollment own
      join academic_year year on year.id = own.academic_year_id
      join academic_grade grade on grade.id = own.grade_id
      where own.student_id = any(${[...ids]}::integer[]) and own.status <> 'Cancelled' and own.joined_on <= school_now()::date
      group by own.student_id`.execute(db);
    return new Map(rows.map(({ id, classes }) => [id, { classes }]));
  },
  words: (facts: StudyFacts, { language, purpose }: CertificateDetails): CertificateWords => ({
    paragraphs: [
      text`This is to certify that ${{ name: facts.name }} studied in this school in the classes and years below.`,
      ...forPurpose(purpose),
    ],
    entries: [
      [text`General register number`, facts.grNo],
      ...parents(facts),
      bornOn(facts, language),
      [text`Place of birth`, facts.birthPlace],
      ...(facts.classes ?? []).map(({ year, grade, from, until }): [Text, string] => [
        text`Academic year ${{ year }}`,
        `${grade}, ${[from, until]
          .filter(Boolean)
          .map((day) => showDay(day, language))
          .join(' – ')}`,
      ]),
    ],
    closing: [registerLine],
  }),
};

export const studentCertificates: readonly CertificateKind[] = [leaving, bonafide, character, study];
