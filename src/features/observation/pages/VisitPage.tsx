import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Alert } from '#kit/browser/ui/Chip.tsx';
import { Text } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showMoment, showTime } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import { type Visit, visitApi } from '../contract/visit.ts';
import { Capture } from './Capture.tsx';
import { ShownRatings } from './ShownRatings.tsx';
import { VisitActs } from './VisitActs.tsx';
import { visitKinds } from './visit-kinds.ts';

/** /school-erp/staff-observation/staff-observation-list/{visitID}: capture, report and acknowledgement of a visit. */
export function VisitPage() {
  const { visitID } = useParams({ strict: false }) as { visitID: string };
  const { t } = useLingui();
  const visit = useRead(visitApi.read, { id: visitID });
  return (
    <>
      {visit.error && !visit.data && <PageHead title={t`Visit`} />}
      <QueryBoundary query={visit}>{(found) => <Report key={found.id} visit={found} />}</QueryBoundary>
    </>
  );
}

function Report({ visit }: { visit: Visit }) {
  const { t } = useLingui();
  return (
    <RecordPage
      title={visit.teacher}
      about={[visit.type, showMoment(visit.scheduledAt), visit.section].filter(Boolean).join(' · ')}
      chips={
        <>
          <Status kind={visitKinds[visit.state]}>{translateOption(visit.state)}</Status>
          {visit.isFlagged && (
            <Alert kind="bad">
              <Trans>Critical</Trans>
            </Alert>
          )}
        </>
      }
      actions={<VisitActs visit={visit} />}
      parts={[
        {
          key: 'visit',
          title: t`Visit`,
          cards: [
            <About key="about" visit={visit} />,
            ...(visit.may.capture
              ? [<Capture key="capture" visit={visit} />]
              : [
                  visit.ratings.length > 0 && (
                    <ShownRatings key="ratings" rubric={visit.rubric} ratings={visit.ratings} />
                  ),
                  <Evidence key="evidence" visit={visit} />,
                ]),
          ],
        },
      ]}
    />
  );
}

function About({ visit }: { visit: Visit }) {
  const { t } = useLingui();
  return (
    <RecordCard isWide title={<Trans>Report</Trans>}>
      {visit.reopened.map(({ number, at, by, reason }) => (
        <Notice key={number}>
          <Trans>
            Reopened on {showMoment(at)} by {by}: {reason}
          </Trans>
        </Notice>
      ))}
      <Facts
        facts={[
          { label: t`Observer`, value: visit.observer },
          { label: t`Kind`, value: translateOption(visit.kind) },
          { label: t`Began`, value: visit.startedAt && showMoment(visit.startedAt) },
          { label: t`Ended`, value: visit.endedAt && showMoment(visit.endedAt) },
          { label: t`Topic of the lesson`, value: visit.topic },
          { label: t`Score`, value: visit.score || (visit.startedAt ? t`No ratings` : '') },
          { label: t`Shared`, value: visit.sharedAt && showMoment(visit.sharedAt) },
          { label: t`Acknowledged`, value: visit.acknowledgedAt && showMoment(visit.acknowledgedAt) },
          { label: t`Closed`, value: visit.closedAt && showMoment(visit.closedAt) },
          { label: t`Reason`, value: visit.closeReason || visit.cancelReason },
          { label: t`Next review`, value: visit.nextReviewOn && showDate(visit.nextReviewOn) },
        ]}
      />
      <Words title={t`Strengths`} words={visit.strengths} />
      <Words title={t`What could be better`} words={visit.improvements} />
      <Words title={t`Plan`} words={visit.plan} />
      <Words title={t`Comment of the teacher`} words={visit.comment} />
    </RecordCard>
  );
}

const Words = ({ title, words }: { title: string; words: string }) =>
  words ? (
    <>
      <h3>{title}</h3>
      <Text breaks="pre-wrap">{words}</Text>
    </>
  ) : null;

function Evidence({ visit: { evidence } }: { visit: Visit }) {
  if (evidence.length === 0) return null;
  return (
    <RecordCard isWide title={<Trans>Evidence</Trans>}>
      <ul>
        {evidence.map(({ id, at, text }) => (
          <li key={id}>
            <time dateTime={at}>{showTime(at)}</time> {text}
          </li>
        ))}
      </ul>
    </RecordCard>
  );
}
