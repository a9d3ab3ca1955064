import { Trans, useLingui } from '@lingui/react/macro';
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
import styles from './CorrectionNotice.module.css';
import { lockedOf } from './form-values.ts';
import { isStepOpen, lastStep } from './open-steps.ts';
import { useStepNames } from './Steps.tsx';
import { changeSearch } from './way-back.ts';
import './end-texts.ts';

type Remark = Correction['remarks'][number];

interface Props {
  inquiry: OpenInquiry;
  /** 1 to 5. The last step lists the remarks of all steps. */
  step: number;
  /** The forms whose fields the remarks are about. */
  forms: readonly Endpoint[];
}

/** What the school asks a family to correct, each remark with a link to its field. */
export function CorrectionNotice({ inquiry, step, forms }: Props) {
  const names = useStepNames();
  const nameOf = useRemarkNames(forms);
  const { correction } = inquiry;
  if (!correction) return null;
  const isHere = (page: number) => step === lastStep || page === step;
  const remarks = correction.remarks
    .filter(({ section }) => isHere(pageOfSection[section]))
    .sort((left, right) => pageOfSection[left.section] - pageOfSection[right.section]);
  const isNamed = (page: number) => remarks.some(({ section }) => pageOfSection[section] === page);
  const unnamed = correction.pages.filter((page) => isHere(page) && !isNamed(page));
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
function useRemarkNames(forms: readonly Endpoint[]) {
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
    const label = findOwnLabel(field) ?? findLabel(forms, field);
    const [, owner] = Object.entries(owners).find(([prefix]) => field.startsWith(prefix)) ?? [];
    return [owner, label && translate(label)].filter(Boolean).join(', ') || translateOption(section);
  };
}

/** The label in the page's own words. */
const findOwnLabel = (field: string) =>
  Object.entries({ ...workLabels, ...languageLabels }).find(([ending]) => field.endsWith(ending))?.[1];

function findLabel(forms: readonly Endpoint[], field: string) {
  for (const { input, files } of forms) {
    const shape = (input as { shape?: Record<string, Parameters<typeof fieldInfo.get>[0]> }).shape ?? {};
    const label = (shape[field] && fieldInfo.get(shape[field])?.label) ?? files?.[field]?.label;
    if (label) return label;
  }
  return undefined;
}
