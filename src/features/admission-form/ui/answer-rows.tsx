import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Values } from '#kit/browser/form/form-context.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import { BreakableText } from '#kit/browser/ui/BreakableText.tsx';
import { showReaderDay } from '#kit/browser/ui/show.ts';
import { fieldInfo } from '#kit/contract/fields.ts';
import type { Text } from '#kit/contract/text.ts';
import type { UploadRule } from '#kit/contract/uploads.ts';
import { additionalInfoDraft } from '../contract/additional-info.ts';
import { basicInfoDraft, childPhoto } from '../contract/basic-info.ts';
import { isAsked } from '../contract/change.ts';
import type { Education } from '../contract/education.ts';
import { healthDraft, vaccinationCard } from '../contract/health.ts';
import { languageDraft } from '../contract/language.ts';
import {
  absence,
  absentParents,
  adoptionDocument,
  divorceDocument,
  familyPhoto,
  type ParentInfo,
  parentInfoDraft,
} from '../contract/parent-info.ts';
import { languageLabels, workLabels } from './words.tsx';

/** One answer as it will be submitted. */
export interface AnswerRow {
  /** The field to change it at; the first control of its question. */
  name: string;
  /** The control to change it at, where the field itself is hidden. */
  at?: string | undefined;
  label: string;
  value: ReactNode;
  /** Comes from the school and cannot be changed. */
  isLocked?: boolean;
}

export interface AnswerGroup {
  /** The person or group the answers are about, where a step has several with the same labels. */
  title?: string;
  rows: AnswerRow[];
}

/** Where the answers are read: by the family in its form, or by the school. */
export interface AnswerReader {
  /** Parents about whom nothing is asked. */
  detailsNotApplicable: readonly string[];
  /** Fields with values of the school's, which the family cannot change. */
  locked: readonly string[];
  /** Shows an uploaded file. */
  picture: (fileId: string, words: string) => ReactNode;
}

type Shape = Record<string, unknown>;
type IsAsked = (name: string) => boolean;

interface Over {
  /** Labels in the page's own words, by the ending of the field's name. */
  labels?: Record<string, Text>;
  /** The names of values that the saved answers hold as numbers. */
  values?: Record<string, string | undefined>;
  locked?: readonly string[];
  /** The tick box that hides a field while it is "NA". */
  hiddenBy?: Record<string, string>;
}

const begins =
  (...prefixes: string[]): IsAsked =>
  (name) =>
    prefixes.some((prefix) => name.startsWith(prefix));

/** The rows of the fields that are asked, in the order of the contract. */
function rowsOf(shape: Shape, saved: Values, isWanted: IsAsked, over: Over = {}): AnswerRow[] {
  return Object.keys(shape).flatMap((name) => {
    const info = fieldInfo.get(shape[name] as Parameters<typeof fieldInfo.get>[0]);
    if (!info || !isWanted(name)) return [];
    const [, ownLabel] = Object.entries(over.labels ?? {}).find(([ending]) => name.endsWith(ending)) ?? [];
    const value = over.values?.[name] ?? saved[name];
    return {
      name,
      at: value === 'NA' ? over.hiddenBy?.[name] : undefined,
      label: translate(ownLabel ?? info.label),
      value: <Answer value={value} isChoice={Boolean(info.options)} isDate={/birthDate$/i.test(name)} />,
      isLocked: over.locked?.includes(name) ?? false,
    };
  });
}

function Answer({ value, isChoice, isDate }: { value: unknown; isChoice: boolean; isDate: boolean }) {
  if (value === true) return <Trans>Yes</Trans>;
  if (value === false) return <Trans>No</Trans>;
  if (value === null || value === undefined || value === '') {
    return (
      <span className="not-given">
        <Trans>Not provided</Trans>
      </span>
    );
  }
  const text = String(value);
  if (isDate) return showReaderDay(text);
  if (isChoice) return text.split(',').map(translateOption).join(', ');
  return text.includes('@') ? <BreakableText text={text} /> : text;
}

function usePicture({ picture }: AnswerReader) {
  const { t } = useLingui();
  return (name: string, rule: UploadRule, id: string | null | undefined): AnswerRow => {
    const label = translate(rule.label);
    return {
      name,
      label,
      value: id ? picture(id, t`${label}, uploaded`) : <Answer value={null} isChoice={false} isDate={false} />,
    };
  };
}

type Saved = Values & Record<`${string}Path`, string | null>;

/** Step 1: the child, with both addresses; an equal permanent address is one row. */
export function useChildRows(reader: AnswerReader) {
  const { t } = useLingui();
  const picture = usePicture(reader);
  return (saved: Saved): AnswerGroup[] => {
    const { shape } = basicInfoDraft;
    const { locked } = reader;
    const isAddress = begins('current', 'permanent', 'sameAs');
    const isSame = saved.sameAsPresentAddress === true;
    const hiddenBy = { studentUID: 'not-been-to-a-school', schoolDISECode: 'not-been-to-a-school' };
    return [
      {
        rows: [
          ...rowsOf(shape, saved, (name) => !isAddress(name), { locked, hiddenBy }),
          picture('admissionStudentImageIFormFile', childPhoto, saved.admissionStudentImagePath),
        ],
      },
      { title: t`Present address`, rows: rowsOf(shape, saved, begins('current')) },
      { title: t`Permanent address`, rows: rowsOf(shape, saved, begins(isSame ? 'sameAs' : 'permanent')) },
    ];
  };
}

/** Step 2: father, mother, the family and, where there is one, the local guardian. `careers` are names by number. */
export function useFamilyRows(reader: AnswerReader, careers: Map<number, string>) {
  const { t } = useLingui();
  const picture = usePicture(reader);
  return (saved: Saved): AnswerGroup[] => {
    const { shape } = parentInfoDraft;
    const people = ['father', 'mother', 'guardian'];
    const values = Object.fromEntries(
      people.flatMap((who) =>
        [`${who}CareerClusterID`, `${who}CareePathwayID`].map((name) => [name, careers.get(Number(saved[name]))]),
      ),
    );
    const over = { labels: workLabels, values, locked: reader.locked };
    const isOpen: IsAsked = (name) => isAsked('parent-info', name, saved);
    const person =
      (who: string): IsAsked =>
      (name) =>
        name.startsWith(who) && isOpen(name);
    const absent = absentParents(saved as Parameters<typeof absentParents>[0]);
    const absenceOf = (who: 'father' | 'mother') => {
      const { isAbsent, reason } = absence[who];
      return rowsOf(shape, saved, (name) => name === isAbsent || name === reason);
    };
    const isFamily: IsAsked = (name) =>
      !begins(...people, 'isParentLocal', 'hasNo', 'noFather', 'noMother')(name) && isOpen(name);
    const parents = [
      { who: 'father', title: t`Father` },
      { who: 'mother', title: t`Mother` },
    ] as const;
    return [
      { rows: [picture('FamilyImageIFormFile', familyPhoto, saved.familyImagePath)] },
      ...parents
        .filter(({ who }) => !reader.detailsNotApplicable.includes(who))
        .map(({ who, title }) => ({
          title,
          rows: absent.includes(who) ? absenceOf(who) : rowsOf(shape, saved, person(who), over),
        })),
      {
        title: t`About the family`,
        rows: [
          ...rowsOf(shape, saved, isFamily),
          ...(saved.isParentDivorced === true
            ? [picture('DivorceDocumentIFormFile', divorceDocument, saved.divorceDocumentPath)]
            : []),
          ...(saved.isChildAdopted === true
            ? [picture('AdoptionDocumentIFormFile', adoptionDocument, saved.adoptionDocumentPath)]
            : []),
        ],
      },
      {
        title: t`Local guardian`,
        rows: [...rowsOf(shape, saved, begins('isParentLocal')), ...rowsOf(shape, saved, person('guardian'), over)],
      },
    ];
  };
}

/** Step 3: the schools attended and the child's health; a box that no Yes opened has no row. */
export function useHealthRows(reader: AnswerReader, schools: Education[]) {
  const { t } = useLingui();
  const picture = usePicture(reader);
  return (saved: Saved): AnswerGroup[] => {
    const school = ({ fromGrade, toGrade, schoolName, boardName, city }: Education) =>
      t`${fromGrade} to ${toGrade}: ${schoolName}, ${boardName}, ${city}`;
    return [
      {
        rows: [
          {
            name: 'fromGrade',
            label: t`Schools attended`,
            value: schools.length > 0 ? schools.map(school).join('\n') : t`None`,
          },
          ...rowsOf(healthDraft.shape, saved, (name) => isAsked('health', name, saved)),
          ...(saved.isVaccinated === true
            ? [picture('VaccinationFileIFormFile', vaccinationCard, saved.vaccinationCardFilePath)]
            : []),
        ],
      },
    ];
  };
}

/** Step 4: emergency contacts, and the parents' time and reasons. */
export function useContactRows({ detailsNotApplicable }: AnswerReader, parents: ParentInfo | undefined) {
  const { t } = useLingui();
  return (saved: Saved): AnswerGroup[] => {
    const { shape } = additionalInfoDraft;
    const notAsked = [...detailsNotApplicable, ...absentParents(parents)];
    const isWaived = (name: string) => notAsked.some((who) => name.toLowerCase().endsWith(who));
    return [
      { title: t`Emergency contact 1`, rows: rowsOf(shape, saved, begins('emergencyContact1')) },
      { title: t`Emergency contact 2`, rows: rowsOf(shape, saved, begins('emergencyContact2')) },
      { title: t`Medical emergency`, rows: rowsOf(shape, saved, begins('isMedical')) },
      {
        title: t`Time with your child`,
        rows: rowsOf(shape, saved, (name) => name.startsWith('timeSpent') && !isWaived(name)),
      },
      {
        title: t`Parenting and this school`,
        rows: rowsOf(shape, saved, (name) => !begins('emergencyContact', 'isMedical', 'timeSpent')(name)),
      },
    ];
  };
}

/** Step 5: the languages, from the form above. */
export function useLanguageRows() {
  return (values: Values): AnswerGroup[] => {
    const isOpen = (name: string) => name !== 'repalcedLangOfChild' || values.isChildHaveReplacedLang === true;
    return [{ rows: rowsOf(languageDraft.shape, values, isOpen, { labels: languageLabels }) }];
  };
}
