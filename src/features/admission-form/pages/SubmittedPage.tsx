import { Trans, useLingui } from '@lingui/react/macro';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import { type ReactNode, useState } from 'react';
import { configuration } from '#features/school/ui/configuration.ts';
import { currentLink } from '#kit/browser/data/link.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import { ButtonAnchor } from '#kit/browser/ui/Button.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { alreadySubmitted } from '../contract/form.ts';
import type { SubmittedInquiry } from '../contract/inquiry.ts';
import { printApi, printHours } from '../contract/print.ts';
import checklist from './Checklist.module.css';
import { forgetInquiry, getInquiry } from './inquiry-state.ts';
import { SchoolNews } from './SchoolNews.tsx';
import { SchoolPage } from './SchoolPage.tsx';
import { SchoolPhone } from './SchoolPhone.tsx';
import styles from './SubmittedPage.module.css';

/** The page of a submitted form's link: number, time, status and the next step. */
export function SubmittedPage({ inquiry }: { inquiry: SubmittedInquiry }) {
  const { t } = useLingui();
  const [status, setStatus] = useState(inquiry.status);
  // A chosen time changes the status.
  const readStatus = async () => {
    forgetInquiry();
    const now = await getInquiry();
    if (now.isFormSubmitted) setStatus(now.status);
  };
  const { schoolEmail } = configuration();
  // The server decides; later the school gives the copy.
  const canPrint = Date.now() - Date.parse(inquiry.submittedDateTime) < printedFor;
  return (
    <SchoolPage title={t`Admission Form ${inquiry.academicYear}`}>
      <h1 tabIndex={-1} className={styles.done}>
        <IconCircleCheck size={32} aria-hidden />
        {translate(alreadySubmitted)}
      </h1>
      <p className="lead">
        <Trans>
          Thank you. The school has everything it needs for now. You can come back to this page at any time with the
          same link.
        </Trans>
      </p>
      <SchoolNews onChosen={() => void readStatus().catch(() => undefined)} />
      <section className="section">
        <dl className="facts">
          <div>
            <dt>
              <Trans>Application number</Trans>
            </dt>
            <dd>{inquiry.inquiryNo}</dd>
          </div>
          <div>
            <dt>
              <Trans>Submitted</Trans>
            </dt>
            <dd>{showMoment(inquiry.submittedDateTime)}</dd>
          </div>
          <div>
            <dt>
              <Trans>Status</Trans>
            </dt>
            <dd>{translateOption(status)}</dd>
          </div>
        </dl>
        {canPrint && (
          <p className={styles.copy}>
            <ButtonAnchor href={printAddress()} download>
              <Trans>Download your answers (PDF)</Trans>
            </ButtonAnchor>
          </p>
        )}
        <h2>
          <Trans>What you submitted</Trans>
        </h2>
        <ul className={checklist.checklist}>
          <HandedIn>
            <Trans>Your answers to all five steps</Trans>
          </HandedIn>
          {inquiry.documentNames.map((name) => (
            <HandedIn key={name}>{translateOption(name)}</HandedIn>
          ))}
        </ul>
      </section>
      <section className="section">
        <h2>
          <Trans>What happens next</Trans>
        </h2>
        <p className="plain">
          <Trans>
            The school will read the form and the documents and write to you about the next step. To correct something,
            call <SchoolPhone /> or write to <a href={`mailto:${schoolEmail}`}>{schoolEmail}</a> and tell us your
            application number.
          </Trans>
        </p>
      </section>
    </SchoolPage>
  );
}

const printedFor = printHours * 3_600_000;
const printAddress = () => `/api${printApi.print.path}?inquiryNo=${encodeURIComponent(currentLink())}`;

const HandedIn = ({ children }: { children: ReactNode }) => (
  <li className={checklist.checked}>
    <IconCircleCheck size={20} aria-hidden />
    <span>{children}</span>
  </li>
);
