import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { get } from '#kit/browser/data/get.ts';
import { focusOn } from '#kit/browser/form/ErrorSummary.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { Button, ButtonAnchor, ButtonLink } from '#kit/browser/ui/Button.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { additionalInfoApi } from '../contract/additional-info.ts';
import { basicInfoApi } from '../contract/basic-info.ts';
import { careerApi } from '../contract/career.ts';
import { firstChange, type SavedPage } from '../contract/change.ts';
import type { Correction } from '../contract/correction.ts';
import { educationApi } from '../contract/education.ts';
import { healthApi } from '../contract/health.ts';
import { lockedChildFields, lockedParentFields, type OpenInquiry } from '../contract/inquiry.ts';
import type { FormPath } from '../contract/pages.ts';
import { type ParentInfo, parentInfoApi } from '../contract/parent-info.ts';
import {
  type AnswerGroup,
  type AnswerReader,
  type AnswerRow,
  useChildRows,
  useContactRows,
  useFamilyRows,
  useHealthRows,
  useLanguageRows,
} from '../ui/answer-rows.tsx';
import styles from './CheckAnswers.module.css';
import { openPageDraft } from './drafts.ts';
import { fileAddress } from './file-address.ts';
import { lockedOf } from './form-values.ts';
import { isStepOpen, lastStep } from './open-steps.ts';
import { Section } from './StepPage.tsx';
import { changeSearch, checkedAt, hashOfChecked } from './way-back.ts';

const here = '/admission4';

interface Props {
  inquiry: OpenInquiry;
  read: ReturnType<typeof useAnswers>;
}

/** All answers before submission, in a correction those of the open steps, one card for each step, each with a link to change it and come back (B20). */
export function CheckAnswers({ inquiry, read: { answers, failed, retry, keepSaved } }: Props) {
  const { t } = useLingui();
  const { values } = useApiForm();
  const reader = readerOf(inquiry);
  const childRows = useChildRows(reader);
  const familyRows = useFamilyRows(reader, answers?.careers ?? new Map());
  const healthRows = useHealthRows(reader, answers?.schools ?? []);
  const contactRows = useContactRows(reader, answers?.family);
  const languageRows = useLanguageRows();
  useEffect(() => {
    // Back from a change, the focus returns to the answer.
    const field = checkedAt(window.location.hash);
    // The answers may load after the reader has moved on.
    const isFree = document.activeElement === document.body || document.activeElement?.tagName === 'H1';
    if (answers && field !== undefined && isFree)
      focusOn(document.getElementById(hashOfChecked(field)) ? hashOfChecked(field) : 'check');
  }, [answers]);
  const steps = [
    { path: '/admission', title: t`Step 1, Child`, saved: answers?.child, rows: childRows },
    { path: '/admission1', title: t`Step 2, Family`, saved: answers?.family, rows: familyRows },
    { path: '/admission2', title: t`Step 3, Health`, saved: answers?.health, rows: healthRows },
    { path: '/admission3', title: t`Step 4, Contacts`, saved: answers?.contacts, rows: contactRows },
  ] as const;
  return (
    <Section
      title={
        <span id="check" tabIndex={-1}>
          <Trans>Check your answers</Trans>
        </span>
      }
      help={<Trans>To correct an answer, press Change. Then press Save and Next to come back here.</Trans>}
    >
      {failed && (
        <p className="warning" role="status">
          <Trans>This could not be loaded.</Trans>{' '}
          <Button kind="quiet" onClick={retry}>
            <Trans>Try again</Trans>
          </Button>
        </p>
      )}
      {answers &&
        steps.map(
          ({ path, title, saved, rows }, index) =>
            isStepOpen(inquiry.correction, index + 1) && (
              <Card
                key={path}
                title={title}
                path={path}
                isUnsaved={answers.unsaved[index]}
                keepSaved={saved && (() => keepSaved(index))}
              >
                {saved ? rows(saved as Parameters<typeof rows>[0]) : undefined}
              </Card>
            ),
        )}
      {answers && isStepOpen(inquiry.correction, lastStep) && (
        <Card title={t`Step 5, Languages`} path={here}>
          {Object.values(values).some((value) => value !== '' && value !== null) ? languageRows(values) : undefined}
        </Card>
      )}
      {!answers && !failed && (
        <p className="plain" role="status">
          <Trans>Loading your answers</Trans>
        </p>
      )}
    </Section>
  );
}

const readerOf = (inquiry: OpenInquiry): AnswerReader => ({
  detailsNotApplicable: inquiry.detailsNotApplicable,
  locked: [...lockedOf(inquiry, lockedChildFields), ...lockedOf(inquiry, lockedParentFields)],
  picture: (id, words) => <img className="thumb" src={fileAddress(id)} alt={words} loading="lazy" />,
});

interface CardProps {
  title: string;
  path: FormPath;
  /** The step has changes that are not saved. */
  isUnsaved?: boolean | undefined;
  /** Discards the changes, where the step was saved before. */
  keepSaved?: (() => void) | undefined;
  /** Undefined for a step that was never saved. */
  children: AnswerGroup[] | undefined;
}

function Card({ title, path, isUnsaved, keepSaved, children: groups }: CardProps) {
  return (
    <div className={styles.card}>
      <h3>{title}</h3>
      {isUnsaved && (
        <Notice>
          <Trans>Your changes are not saved.</Trans>{' '}
          <PageLink to={path} search={changeSearch}>
            <Trans>Open the step and press Save and Next</Trans>
          </PageLink>
          {keepSaved && (
            <Button kind="quiet" onClick={keepSaved}>
              <Trans>Discard changes</Trans>
            </Button>
          )}
        </Notice>
      )}
      {!groups && !isUnsaved && (
        <p className="plain">
          <Trans>Not filled in yet.</Trans>{' '}
          {path !== here && (
            <PageLink to={path} search={changeSearch}>
              <Trans>Fill in {title}</Trans>
            </PageLink>
          )}
        </p>
      )}
      {groups?.map(({ title: name, rows }) => (
        <div key={name ?? ''}>
          {name && <h4>{name}</h4>}
          <dl>
            {rows.map((row) => (
              <Row key={row.name} row={row} path={path} owner={name} />
            ))}
          </dl>
        </div>
      ))}
    </div>
  );
}

function Row({ row, path, owner }: { row: AnswerRow; path: FormPath; owner: string | undefined }) {
  const { t } = useLingui();
  const { name, at = name, label, value, isLocked } = row;
  const what = owner ? `${owner}, ${label}` : label;
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
      <dd>
        {!isLocked && path !== here && (
          <ButtonLink
            kind="quiet"
            edge="end"
            id={hashOfChecked(name)}
            to={path}
            hash={at}
            search={changeSearch}
            aria-label={t`Change ${what}`}
          >
            <Trans>Change</Trans>
          </ButtonLink>
        )}
        {path === here && (
          <ButtonAnchor
            kind="quiet"
            edge="end"
            href={`#${name}`}
            aria-label={t`Change ${what}`}
            onClick={(event) => {
              event.preventDefault();
              focusOn(name);
            }}
          >
            <Trans>Change</Trans>
          </ButtonAnchor>
        )}
      </dd>
    </div>
  );
}

const draftPages = ['basic-info', 'parent-info', 'health', 'additional-info'] as const satisfies SavedPage[];

async function loadAnswers(correction: Correction | null) {
  // Closed steps are not read: they stay as they were submitted.
  const ifOpen = <Answer,>(step: number, read: () => Promise<Answer>) =>
    isStepOpen(correction, step) ? read() : undefined;
  const [child, family, health, contacts, education, ...drafts] = await Promise.all([
    ifOpen(1, () => get(basicInfoApi.get, {})),
    ifOpen(2, () => get(parentInfoApi.get, {})),
    ifOpen(3, () => get(healthApi.get, {})),
    ifOpen(4, () => get(additionalInfoApi.get, {})),
    ifOpen(3, () => get(educationApi.list, {})),
    ...draftPages.map((page, index) => ifOpen(index + 1, () => openPageDraft(page))),
  ]);
  const saved = {
    child: child?.data.lstStudentAdmissionBasicInfoModel[0],
    family: family?.data.lstStudentAdmissionParentInfo[0],
    health: health?.data.lstStudentAdmissionChildHealthDetailsModel[0],
    contacts: contacts?.data.lstStudentAdmissionAdditionalInfoModel[0],
  };
  const unsaved = draftPages.map((page, index) => {
    const typed = drafts[index]?.answers;
    return typed ? firstChange(page, typed, Object.values(saved)[index] ?? {}) !== undefined : false;
  });
  return {
    ...saved,
    isSaved: Object.values(saved).map((page) => page !== undefined),
    schools: education?.data.lstStudentAdmissionChildEducationHistoryModel ?? [],
    careers: await loadCareers(saved.family),
    drafts,
    unsaved,
  };
}

/** The names of the sectors and specialties that were chosen, by their numbers. */
async function loadCareers(parents: ParentInfo | undefined): Promise<Map<number, string>> {
  const chosen = [parents?.fatherCareerClusterID, parents?.motherCareerClusterID, parents?.guardianCareerClusterID];
  const sectors = [...new Set(chosen.filter((id) => typeof id === 'number'))];
  if (sectors.length === 0) return new Map();
  const lists = await Promise.all([
    get(careerApi.sectors, {}),
    ...sectors.map((sector) => get(careerApi.specialties, { careerID: String(sector) })),
  ]);
  return new Map(
    lists.flatMap(({ data }) => data.lstCareerMaster.map((career) => [career.careerID, career.careerName])),
  );
}

/** All saved answers. Loaded after the page is drawn: documents and languages come first on it. */
export function useAnswers(correction: Correction | null) {
  const [answers, setAnswers] = useState<Awaited<ReturnType<typeof loadAnswers>>>();
  const [tries, setTries] = useState(0);
  const [failed, setFailed] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is asked for by counting it.
  useEffect(() => {
    let isCurrent = true;
    loadAnswers(correction).then(
      (loaded) => isCurrent && setAnswers(loaded),
      () => isCurrent && setFailed(true),
    );
    return () => {
      isCurrent = false;
    };
  }, [tries]);
  const retry = () => {
    setFailed(false);
    setTries((count) => count + 1);
  };
  /** Overwrites a step's draft with its saved answers. */
  const keepSaved = (index: number) => {
    const draft = answers?.drafts[index];
    const saved: Record<string, unknown> = {
      ...[answers?.child, answers?.family, answers?.health, answers?.contacts][index],
    };
    if (!answers || !draft?.answers) return;
    draft.change(Object.fromEntries(Object.keys(draft.answers).map((name) => [name, saved[name] ?? null])));
    draft.flush();
    setAnswers({ ...answers, unsaved: answers.unsaved.map((is, step) => is && step !== index) });
  };
  return { answers, failed, retry, keepSaved };
}
