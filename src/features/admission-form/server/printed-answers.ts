import { showDate } from '#kit/contract/day.ts';
import { fieldInfo } from '#kit/contract/fields.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { UploadRule } from '#kit/contract/uploads.ts';
import { additionalInfoDraft } from '../contract/additional-info.ts';
import { basicInfoDraft, childPhoto } from '../contract/basic-info.ts';
import { isAsked } from '../contract/change.ts';
import type { AdmissionDocument } from '../contract/document.ts';
import type { Education } from '../contract/education.ts';
import { healthDraft, vaccinationCard } from '../contract/health.ts';
import { languageDraft } from '../contract/language.ts';
import {
  absence,
  absentParents,
  adoptionDocument,
  divorceDocument,
  familyPhoto,
  parentInfoDraft,
} from '../contract/parent-info.ts';

type Answers = Record<string, unknown>;
type IsWanted = (name: string) => boolean;
type Parent = 'father' | 'mother';

/** The pages of a frozen copy; one that was never saved is missing. */
export interface FrozenForm {
  basicInfo?: Answers;
  parentInfo?: Answers;
  health?: Answers;
  education?: Education[];
  additionalInfo?: Answers;
  language?: Answers;
  documents?: AdmissionDocument[];
}

/** What the copy itself does not say. */
export interface PrintedFacts {
  /** Parents about whom nothing was asked. */
  waived: readonly Parent[];
  /** The names of sectors and specialties. */
  careers: ReadonlyMap<number, string>;
  /** The names of uploaded files; one that was replaced since has none. */
  files: ReadonlyMap<string, string>;
}

interface Group {
  title?: Text;
  facts: [label: Text, value: string | Text][];
}
interface Section {
  title: Text;
  groups: Group[];
}

/** The check page's words for questions that the contract names otherwise; a test compares both. */
const workLabels = {
  CanOfferInternship: text`Can you offer an internship?`,
  CanVisitWorkplace: text`Could students visit your workplace on a field trip?`,
};
const languageLabels = {
  primaryLangatHome: text`Primary language spoken at home`,
  otherLangChildKnow: text`Other languages your child knows`,
  isChildFluentInEnglish: text`Is your child the first in the family to learn English?`,
  childStudyLangPreferance: text`In which language should your child study?`,
  langPreferanceWithSchool: text`In which language should the school write to you?`,
  isChildHaveReplacedLang: text`Did your parents or grandparents speak a language that your child does not speak?`,
};

const begins =
  (...prefixes: string[]): IsWanted =>
  (name) =>
    prefixes.some((prefix) => name.startsWith(prefix));

const notProvided = text`Not provided`;

interface Over {
  /** Labels by the ending of the field's name. */
  labels?: Record<string, Text>;
  /** The names of values that the copy holds as numbers. */
  values?: Record<string, string | undefined>;
}

/** The facts of the wanted fields, in the order of the contract. */
function factsOf(shape: Answers, saved: Answers, isWanted: IsWanted, { labels = {}, values = {} }: Over = {}) {
  return Object.keys(shape).flatMap((name): Group['facts'] => {
    const info = fieldInfo.get(shape[name] as Parameters<typeof fieldInfo.get>[0]);
    if (!info || !isWanted(name)) return [];
    const [, ownLabel] = Object.entries(labels).find(([ending]) => name.endsWith(ending)) ?? [];
    const isDate = /birthDate$/i.test(name);
    return [
      [ownLabel ?? info.label, answerOf(values[name] ?? saved[name], { isDate, isChoice: Boolean(info.options) })],
    ];
  });
}

function answerOf(value: unknown, { isDate, isChoice }: { isDate: boolean; isChoice: boolean }): string | Text {
  if (value === true) return text`Yes`;
  if (value === false) return text`No`;
  const given = String(value ?? '');
  if (given === '') return notProvided;
  if (isDate) return showDate(given);
  return isChoice ? given.split(',').join(', ') : tidied(given);
}

/** An answer of more paragraphs is set as one: a thousand line breaks would be twenty pages. */
const mostParagraphs = 20;

function tidied(answer: string): string {
  const paragraphs = answer.split('\n').filter((paragraph) => paragraph.trim() !== '');
  return paragraphs.join(paragraphs.length > mostParagraphs ? ' ' : '\n');
}

/** All answers of a submitted form by section. A question that was not asked is left out, as on "Check your answers". */
export function printedAnswers(form: FrozenForm, known: PrintedFacts): Section[] {
  const sections = [
    { title: text`Child`, groups: childGroups(form.basicInfo ?? {}, known) },
    { title: text`Family`, groups: familyGroups(form.parentInfo ?? {}, known) },
    { title: text`Health`, groups: healthGroups(form, known) },
    { title: text`Contacts`, groups: contactGroups(form.additionalInfo ?? {}, form.parentInfo ?? {}, known) },
    { title: text`Languages`, groups: languageGroups(form.language ?? {}) },
    { title: text`Uploaded documents`, groups: documentGroups(form.documents ?? [], known) },
  ];
  return sections.map(({ title, groups }) => ({ title, groups: groups.filter(({ facts }) => facts.length > 0) }));
}

/** An uploaded file by its name. */
const fileOf = ({ files }: PrintedFacts, { label }: Pick<UploadRule, 'label'>, id: unknown): [Text, string | Text] => [
  label,
  typeof id === 'string' && id !== '' ? (files.get(id) ?? text`Uploaded`) : notProvided,
];

function childGroups(saved: Answers, known: PrintedFacts): Group[] {
  const { shape } = basicInfoDraft;
  const isAddress = begins('current', 'permanent', 'sameAs');
  const isSame = saved.sameAsPresentAddress === true;
  return [
    {
      facts: [
        ...factsOf(shape, saved, (name) => !isAddress(name)),
        fileOf(known, childPhoto, saved.admissionStudentImagePath),
      ],
    },
    { title: text`Present address`, facts: factsOf(shape, saved, begins('current')) },
    { title: text`Permanent address`, facts: factsOf(shape, saved, begins(isSame ? 'sameAs' : 'permanent')) },
  ];
}

const people = ['father', 'mother', 'guardian'];

/** A waiver that was given after the submission hides no answers. */
const notAskedOf = ({ waived }: PrintedFacts, saved: Answers) => waived.filter((who) => !saved[`${who}Occupation`]);

const absentOf = (saved: Answers) => absentParents(saved as Parameters<typeof absentParents>[0]);

function familyGroups(saved: Answers, known: PrintedFacts): Group[] {
  const { shape } = parentInfoDraft;
  const values = Object.fromEntries(
    people.flatMap((who) =>
      [`${who}CareerClusterID`, `${who}CareePathwayID`].map((name) => [name, known.careers.get(Number(saved[name]))]),
    ),
  );
  const over = { labels: workLabels, values };
  const isOpen: IsWanted = (name) => isAsked('parent-info', name, saved);
  const person = (who: string) => factsOf(shape, saved, (name) => name.startsWith(who) && isOpen(name), over);
  const absent = absentOf(saved);
  const absenceOf = (who: Parent) => {
    const { isAbsent, reason } = absence[who];
    return factsOf(shape, saved, (name) => name === isAbsent || name === reason);
  };
  const isOther = begins(...people, 'isParentLocal', 'hasNo', 'noFather', 'noMother');
  const parents = [
    { who: 'father', title: text`Father` },
    { who: 'mother', title: text`Mother` },
  ] as const;
  return [
    { facts: [fileOf(known, familyPhoto, saved.familyImagePath)] },
    ...parents
      .filter(({ who }) => !notAskedOf(known, saved).includes(who))
      .map(({ who, title }) => ({ title, facts: absent.includes(who) ? absenceOf(who) : person(who) })),
    {
      title: text`About the family`,
      facts: [
        ...factsOf(shape, saved, (name) => !isOther(name) && isOpen(name)),
        ...(saved.isParentDivorced === true ? [fileOf(known, divorceDocument, saved.divorceDocumentPath)] : []),
        ...(saved.isChildAdopted === true ? [fileOf(known, adoptionDocument, saved.adoptionDocumentPath)] : []),
      ],
    },
    {
      title: text`Local guardian`,
      facts: [...factsOf(shape, saved, begins('isParentLocal')), ...person('guardian')],
    },
  ];
}

function healthGroups({ health: saved = {}, education = [] }: FrozenForm, known: PrintedFacts): Group[] {
  const schools = education.map(
    ({ fromGrade, toGrade, schoolName, boardName, city }) =>
      `${fromGrade} to ${toGrade}: ${schoolName}, ${boardName}, ${city}`,
  );
  return [
    {
      facts: [
        [text`Schools attended`, schools.length > 0 ? schools.join('\n') : text`None`],
        ...factsOf(healthDraft.shape, saved, (name) => isAsked('health', name, saved)),
        ...(saved.isVaccinated === true ? [fileOf(known, vaccinationCard, saved.vaccinationCardFilePath)] : []),
      ],
    },
  ];
}

function contactGroups(saved: Answers, parents: Answers, known: PrintedFacts): Group[] {
  const { shape } = additionalInfoDraft;
  const notAsked = [...notAskedOf(known, parents), ...absentOf(parents)];
  const isTime = (name: string) =>
    name.startsWith('timeSpent') && !notAsked.some((who) => name.toLowerCase().endsWith(who));
  return [
    { title: text`Emergency contact 1`, facts: factsOf(shape, saved, begins('emergencyContact1')) },
    { title: text`Emergency contact 2`, facts: factsOf(shape, saved, begins('emergencyContact2')) },
    { title: text`Medical emergency`, facts: factsOf(shape, saved, begins('isMedical')) },
    { title: text`Time with your child`, facts: factsOf(shape, saved, isTime) },
    {
      title: text`Parenting and this school`,
      facts: factsOf(shape, saved, (name) => !begins('emergencyContact', 'isMedical', 'timeSpent')(name)),
    },
  ];
}

function languageGroups(saved: Answers): Group[] {
  const isOpen: IsWanted = (name) => name !== 'repalcedLangOfChild' || saved.isChildHaveReplacedLang === true;
  return [{ facts: factsOf(languageDraft.shape, saved, isOpen, { labels: languageLabels }) }];
}

function documentGroups(documents: readonly AdmissionDocument[], known: PrintedFacts): Group[] {
  const facts = documents.map(
    ({ documentName, documentFilePath, otherDocumentDescription }): Group['facts'][number] => {
      const [, file] = fileOf(known, { label: verbatim(documentName) }, documentFilePath);
      const isNamed = typeof file === 'string' && otherDocumentDescription !== '';
      return [verbatim(documentName), isNamed ? `${otherDocumentDescription}\n${file}` : file];
    },
  );
  return [{ facts: facts.length > 0 ? facts : [[text`Documents`, text`None`]] }];
}

/** The ids of all files of a copy, by which their names are read. */
export const filesOf = ({ basicInfo, parentInfo, health, documents = [] }: FrozenForm): string[] =>
  [
    basicInfo?.admissionStudentImagePath,
    parentInfo?.familyImagePath,
    parentInfo?.divorceDocumentPath,
    parentInfo?.adoptionDocumentPath,
    health?.vaccinationCardFilePath,
    ...documents.map(({ documentFilePath }) => documentFilePath),
  ].filter((id) => typeof id === 'string');

/** The numbers of all sectors and specialties of a copy. */
export const careersOf = ({ parentInfo = {} }: FrozenForm): number[] =>
  people
    .flatMap((who) => [parentInfo[`${who}CareerClusterID`], parentInfo[`${who}CareePathwayID`]])
    .filter((id) => typeof id === 'number');
