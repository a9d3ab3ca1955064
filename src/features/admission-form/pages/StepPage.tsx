import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useEffect } from 'react';
import { useApiForm } from '#kit/browser/form/ApiForm.tsx';
import { useDraftStatus } from '#kit/browser/form/draft.ts';
import { focusOn } from '#kit/browser/form/ErrorSummary.tsx';
import { CancelUpload, UploadProgress } from '#kit/browser/form/UploadProgress.tsx';
import { Button, ButtonAnchor, ButtonLink } from '#kit/browser/ui/Button.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { showTime } from '#kit/browser/ui/show.ts';
import type { DraftPage } from '../contract/draft.ts';
import { type FormPath, formPaths } from '../contract/pages.ts';
import { ComeBackLater } from './ComeBackLater.tsx';
import { SchoolPage } from './SchoolPage.tsx';
import styles from './StepPage.module.css';
import { plainSearch } from './way-back.ts';

interface Props {
  /** 1 to 5. */
  step: number;
  academicYear: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** The frame of the five pages: school, step, title, questions, help. */
export function StepPage({ step, academicYear, lead, children }: Props) {
  const { t } = useLingui();
  const names = [t`Child`, t`Family`, t`Health`, t`Contacts`, t`Documents and submit`];
  const title = academicYear ? t`Admission Form ${academicYear}` : t`Admission Form`;
  useEffect(() => {
    // From "There is a problem" on the last page, the address names the field to correct.
    const field = window.location.hash.slice(1);
    if (field) requestAnimationFrame(() => focusOn(field));
  }, []);
  return (
    <SchoolPage title={title}>
      <nav className={styles.steps} aria-label={t`Steps`}>
        <p>
          <Trans>
            Step {step} of 5 · <b>{names[step - 1]}</b>
          </Trans>
        </p>
        <ol>
          {names.map((name, index) => (
            <li key={name} className={index + 1 < step ? styles.done : index + 1 === step ? styles.now : undefined}>
              {index + 1 === step ? (
                <span aria-current="step">{name}</span>
              ) : (
                <PageLink to={formPaths[index] ?? formPaths[0]} search={plainSearch}>
                  {name}
                </PageLink>
              )}
            </li>
          ))}
        </ol>
      </nav>
      <h1 tabIndex={-1}>{title}</h1>
      {lead && <div className="lead">{lead}</div>}
      {children}
      <ComeBackLater />
    </SchoolPage>
  );
}

interface BarProps {
  previous?: FormPath;
  submit: ReactNode;
  isSending: boolean;
  status?: ReactNode;
  /** The drafts of the page, whose state the bar shows. */
  drafts: readonly DraftPage[];
}

/** The bar at the bottom: the state of saving at its left, the buttons at its right. It never covers a focused field. */
export function StepBar({ previous, submit, isSending, status, drafts }: BarProps) {
  const { upload } = useApiForm();
  return (
    <div className={styles.bar}>
      <div>
        <div className={styles.saved} role="status">
          {upload ? (
            <UploadProgress />
          ) : isSending ? (
            <Trans>Saving</Trans>
          ) : (
            <DraftStatus drafts={drafts} otherwise={status} />
          )}
        </div>
        <CancelUpload />
        {previous && upload?.kind !== 'sending' && (
          <ButtonLink to={previous} search={plainSearch}>
            <Trans>Previous</Trans>
          </ButtonLink>
        )}
        <Button type="submit" kind="main" isBusy={isSending}>
          {submit}
        </Button>
      </div>
    </div>
  );
}

function DraftStatus({ drafts, otherwise }: { drafts: readonly DraftPage[]; otherwise: ReactNode }) {
  const status = useDraftStatus(drafts);
  if (status.kind === 'saving') return <Trans>Saving</Trans>;
  if (status.kind === 'saved') return <Trans>Saved {showTime(status.at)}</Trans>;
  if (status.kind === 'local') return <Trans>Not saved: no connection. Your answers are kept on this device.</Trans>;
  if (status.kind === 'ended')
    return (
      <>
        <Trans>
          Not saved: this link no longer works. Your answers are kept on this device. Open the school’s latest message.
        </Trans>
        <span className="summary-buttons">
          <ButtonAnchor href="/admission">
            <Trans>Get a new link</Trans>
          </ButtonAnchor>
        </span>
      </>
    );
  if (status.kind !== 'conflict') return otherwise;
  return (
    <>
      <Trans>This page was changed on another device at {showTime(status.at)}.</Trans>
      <span className="summary-buttons">
        <Button onClick={status.showTheirs}>
          <Trans>Show the saved version</Trans>
        </Button>
        <Button onClick={status.keepMine}>
          <Trans>Keep my version</Trans>
        </Button>
      </span>
    </>
  );
}

/** A group of questions under a heading; `name` tells equal messages apart in the summary. */
export function Section({
  title,
  help,
  name,
  children,
  message,
}: {
  title: ReactNode;
  help?: ReactNode;
  name?: string;
  children: ReactNode;
  message?: ReactNode;
}) {
  return (
    <section className="section" data-group={name}>
      <h2>{title}</h2>
      {help && <p className="section-help">{help}</p>}
      {message}
      {children}
    </section>
  );
}
