import { Trans, useLingui } from '@lingui/react/macro';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import type { ReactNode } from 'react';
import { focusOn } from '#kit/browser/form/ErrorSummary.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { fieldInfo } from '#kit/contract/fields.ts';
import { type Correction, pageOfSection } from '../contract/correction.ts';
import { lockedChildFields, lockedParentFields, type OpenInquiry } from '../contract/inquiry.ts';
import { formPaths } from '../contract/pages.ts';
import { languageLabels, workLabels } from '../ui/words.tsx';
import { allForms } from './all-forms.ts';
import styles from './CorrectionNotice.module.css';
import { lockedOf } from './form-values.ts';
import { isStepOpen } from './open-steps.ts';
import { useStepNames } from './Steps.tsx';
import { changeSearch } from './way-back.ts';
import './end-texts.ts';

type Remark = Correction['remarks'][number];

interface Props {
  inquiry: OpenInquiry;
  /** 1 to 5. */
  step: number;
}

/** All that the school asks a family to correct, each remark with a link to its field and what was done about it. */
export function CorrectionNotice({ inquiry, step }: Props) {
  const names = useStepNames();
  const nameOf = useRemarkNames();
  const { correction } = inquiry;
  if (!correction) return null;
  const remarks = correction.remarks.toSorted(
    (left, right) => pageOfSection[left.section] - pageOfSection[right.section],
  );
  const isNamed = (page: number) => remarks.some(({ section }) => pageOfSection[section] === page);
  const unnamed = correction.pages.filter((page) => !isNamed(page));
  const locked: string[] = [...lockedOf(inquiry, lockedChildFields), ...lockedOf(inquiry, lockedParentFields)];
  return (
    <Notice as="section" aria-labelledby="correction">
      <h2 id="correction" className={styles.title}>
        <Trans>The school asks you to correct:</Trans>
      </h2>
      <ul className={styles.remarks}>
        {remarks.map((remark) => {
          const { section, field } = remark;
          const page = pageOfSection[section];
          const isLinked = isStepOpen(correction, page) && !locked.includes(field);
          return (
            <li key={`${section} ${field} ${remark.remark}`}>
              {isLinked ? (
                <FieldLink page={page} field={section === 'Documents' ? 'documentName' : field} isHere={page === step}>
                  {nameOf(remark)}
                </FieldLink>
              ) : (
                <b>{nameOf(remark)}</b>
              )}
              <RemarkState remark={remark} />
              <p>{remark.remark}</p>
            </li>
          );
        })}
        {unnamed.map((page) => (
          <li key={page}>
            <FieldLink page={page} field="" isHere={page === step}>
              {names[page - 1]}
            </FieldLink>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Whether the page was saved since the school asked, or the file uploaded; a document that is missing is named so. */
function RemarkState({ remark: { section, field, isAnswered } }: { remark: Remark }) {
  const isDocument = section === 'Documents' && field !== '';
  if (!isAnswered && !isDocument) return null;
  return (
    <p className={isAnswered ? styles.answered : styles.missing}>
      {isAnswered && <IconCircleCheck size={18} aria-hidden />}
      {!isDocument ? <Trans>Saved</Trans> : isAnswered ? <Trans>Uploaded</Trans> : <Trans>Not uploaded yet</Trans>}
    </p>
  );
}

/** A link to a field of a page, as "Change" of "Check your answers" has it; a page itself needs none to be here. */
function FieldLink({
  page,
  field,
  isHere,
  children,
}: {
  page: number;
  field: string;
  isHere: boolean;
  children: ReactNode;
}) {
  if (!isHere) {
    return (
      <PageLink to={formPaths[page - 1] ?? formPaths[0]} hash={field} search={changeSearch}>
        {children}
      </PageLink>
    );
  }
  if (!field) return <b>{children}</b>;
  return (
    <a
      href={`#${field}`}
      onClick={(event) => {
        event.preventDefault();
        focusOn(field);
      }}
    >
      {children}
    </a>
  );
}

/** What a remark is about: "Father, Hobbies", a document, or a whole section. */
function useRemarkNames() {
  const { t } = useLingui();
  const owners = {
    father: t`Father`,
    mother: t`Mother`,
    guardian: t`Guardian`,
    emergencyContact1: t`Emergency contact 1`,
    emergencyContact2: t`Emergency contact 2`,
    current: t`Present address`,
    permanent: t`Permanent address`,
  };
  return ({ section, field }: Remark): string => {
    if (field === '') return translateOption(section);
    if (section === 'Documents') return translateOption(field);
    if (field === 'fromGrade') return t`Schools attended`;
    const label = findOwnLabel(field) ?? findLabel(field);
    const [, owner] = Object.entries(owners).find(([prefix]) => field.startsWith(prefix)) ?? [];
    return [owner, label && translate(label)].filter(Boolean).join(', ') || translateOption(section);
  };
}

/** The label in the page's own words. */
const findOwnLabel = (field: string) =>
  Object.entries({ ...workLabels, ...languageLabels }).find(([ending]) => field.endsWith(ending))?.[1];

function findLabel(field: string) {
  for (const { input, files } of allForms as readonly Endpoint[]) {
    const shape = (input as { shape?: Record<string, Parameters<typeof fieldInfo.get>[0]> }).shape ?? {};
    const label = (shape[field] && fieldInfo.get(shape[field])?.label) ?? files?.[field]?.label;
    if (label) return label;
  }
  return undefined;
}
