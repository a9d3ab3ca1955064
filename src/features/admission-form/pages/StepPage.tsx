import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, Suspense, useEffect } from 'react';
import { type Draft, useDraftStatus } from '#kit/browser/form/draft.ts';
import { focusOn } from '#kit/browser/form/ErrorSummary.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { nameGroup } from '#kit/browser/form/form-problems.tsx';
import { CancelUpload, UploadProgress } from '#kit/browser/form/UploadProgress.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button, ButtonAnchor, ButtonLink } from '#kit/browser/ui/Button.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { showMoment, showTime } from '#kit/browser/ui/show.ts';
import type { Text } from '#kit/contract/text.ts';
import type { DraftPage } from '../contract/draft.ts';
import type { OpenInquiry } from '../contract/inquiry.ts';
import type { FormPath } from '../contract/pages.ts';
import { ComeBackLater } from './ComeBackLater.tsx';
import { lazyPart } from './lazy-part.ts';
import { SchoolPage } from './SchoolPage.tsx';
import { ContinueButton, Steps, useStepNames } from './Steps.tsx';
import { plainSearch } from './way-back.ts';

// Few families are asked to correct something, and the form's first view has no room for it.
const CorrectionNotice = lazyPart(async () => (await import('./CorrectionNotice.tsx')).CorrectionNotice);

const SiblingNotice = lazyPart(async () => (await import('./SiblingNotice.tsx')).SiblingNotice);

/** The steps with details of the family. */
const familySteps = [1, 2];

interface Props {
  /** 1 to 5. */
  step: number;
  /** Undefined until it is read. */
  inquiry?: OpenInquiry;
  /** The drafts from which the questions were filled in. */
  drafts?: readonly Pick<Draft, 'since'>[];
  /** Replaces the name of the step as the heading. */
  heading?: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** The frame of the five pages: school, step, title, questions, help. */
export function StepPage({ step, inquiry, drafts = [], heading, lead, children }: Props) {
  const { t } = useLingui();
  const names = useStepNames();
  const name = heading ?? names[step - 1];
  const { academicYear = '', savedSteps: saved = [], correction = null } = inquiry ?? {};
  const offer = familySteps.includes(step) && !saved.includes(step) ? inquiry?.sibling : null;
  const form = academicYear ? t`Admission Form ${academicYear}` : t`Admission Form`;
  // The first page is the form's own and has its title; the others are named by their step.
  const isFirst = step === 1;
  useEffect(() => {
    // From "There is a problem" on the last page, the address names the field to correct.
    const field = window.location.hash.slice(1);
    if (field) requestAnimationFrame(() => focusOn(field));
  }, []);
  return (
    <SchoolPage title={isFirst ? form : `${name} · ${form}`}>
      <Steps step={step} title={isFirst ? undefined : form} saved={saved} correction={correction} />
      {!offer?.isUsed && <WelcomeBack drafts={drafts} />}
      <h1 tabIndex={-1}>{isFirst ? form : name}</h1>
      {inquiry && correction && (
        <Suspense>
          <CorrectionNotice inquiry={inquiry} step={step} />
        </Suspense>
      )}
      {offer && (
        <Suspense>
          <SiblingNotice offer={offer} />
        </Suspense>
      )}
      {isFirst && !correction && <ContinueButton saved={saved} />}
      {lead && <div className="lead">{lead}</div>}
      {children}
      <ComeBackLater />
    </SchoolPage>
  );
}

/** Tells a reader who has come back that the questions are filled in with what was typed before. */
function WelcomeBack({ drafts }: { drafts: NonNullable<Props['drafts']> }) {
  const [since] = drafts
    .flatMap((draft) => draft.since ?? [])
    .sort()
    .slice(-1);
  if (!since) return null;
  return (
    <Notice role="status" kind="good">
      <Trans>Welcome back. We filled in what you entered on {showMoment(since)}.</Trans>
    </Notice>
  );
}

interface BarProps {
  previous?: FormPath;
  submit: ReactNode;
  /** What the button does instead of saving. */
  onPress?: () => void;
  isSending: boolean;
  status?: ReactNode;
  /** The drafts of the page, whose state the bar shows. */
  drafts: readonly DraftPage[];
}

/** The bar at the bottom: the state of saving at its left, the buttons at its right. It never covers a focused field. */
export function StepBar({ previous, submit, onPress, isSending, status, drafts }: BarProps) {
  const { upload } = useApiForm();
  return (
    <div className="step-bar">
      <div>
        <div className="saved" role="status">
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
        <Button
          type={onPress ? 'button' : 'submit'}
          kind="main"
          isBusy={isSending}
          onClick={onPress}
          className="step-on"
        >
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
  const time = showTime(status.at);
  return (
    <>
      <Trans>This page was changed on another device at {time}.</Trans>
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
  name?: Text;
  children: ReactNode;
  message?: ReactNode;
}) {
  return (
    <section className="section" data-group={name && translate(name)} ref={nameGroup(name)}>
      <h2>{title}</h2>
      {help && <p className="section-help">{help}</p>}
      {message}
      {children}
    </section>
  );
}
