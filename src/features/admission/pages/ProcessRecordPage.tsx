import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { Timeline } from '#kit/browser/record/Timeline.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { Steps } from '#kit/browser/ui/Steps.tsx';
import { showDate } from '#kit/contract/day.ts';
import { type ProcessRecord, processApi } from '../contract/process.ts';
import { processList } from '../contract/process-list.ts';
import { InquiryStateChip } from './InquiryState.tsx';
import { DecisionCard } from './process/DecisionCard.tsx';
import { EndCard } from './process/EndCard.tsx';
import { FeeCard } from './process/FeeCard.tsx';
import { InteractionsCard } from './process/InteractionsCard.tsx';
import { NextAct } from './process/NextAct.tsx';

/** /school-erp/admission/process-admission/{inquiryID}: one application from its verified form to its seat. */
export function ProcessRecordPage() {
  const { inquiryID } = useParams({ strict: false }) as { inquiryID: string };
  const { t } = useLingui();
  const record = useRead(processApi.read, { id: inquiryID });
  return (
    <>
      {record.error && !record.data && <PageHead title={t`Process Admission`} />}
      <QueryBoundary query={record}>{(found) => <Application record={found} />}</QueryBoundary>
    </>
  );
}

const stepOf = ({ state, seat, decisions }: ProcessRecord) => {
  if (state === 'Admitted') return 5;
  if (state === 'Seat confirmed') return 4;
  if (state === 'Offered') return 3;
  if (decisions.some(({ isCancelled }) => !isCancelled)) return 2;
  return state === 'Interaction done' || seat?.interaction === 'None' ? 2 : 1;
};

function Application({ record }: { record: ProcessRecord }) {
  const { t } = useLingui();
  const { id, child, inquiryNo, state, grade, academicYear } = record;
  return (
    <RecordPage
      title={child}
      of={{ list: processList, id, page: '/school-erp/admission/process-admission', title: t`Process Admission` }}
      about={[inquiryNo, grade, academicYear].join(' · ')}
      chips={<InquiryStateChip state={state} />}
      actions={<NextAct record={record} />}
      keys={[
        [['O'], t`Offer a seat`],
        [['W'], t`Put on the waiting list`],
        [['R'], t`Offer no seat`],
        [['L'], t`Release the decision`],
        [['F'], t`Record the fee, or confirm without one`],
        [['P'], t`Plan an interaction`],
      ]}
      parts={[
        {
          key: 'process',
          title: t`Application`,
          cards: [
            <RecordCard key="steps" isWide title={t`Steps`} isTitleHidden>
              <Steps
                label={t`Steps`}
                steps={[t`Review`, t`Interaction`, t`Decision`, t`Offer`, t`Seat confirmed`, t`Admitted`]}
                current={stepOf(record)}
              />
            </RecordCard>,
            // An assessor reads the child and the interactions alone.
            ...(record.quota ? [<DecisionCard key="decision" record={record} />] : []),
            <InteractionsCard key="interactions" record={record} />,
            ...(record.quota ? [<FeeCard key="fee" record={record} />] : []),
            <ChildCard key="child" record={record} />,
            <EndCard key="end" record={record} />,
          ],
        },
        ...(record.may.readHistory
          ? [
              {
                key: 'history',
                title: t`History`,
                cards: [
                  <RecordCard key="history" isWide title={<Trans>History</Trans>} isTitleHidden>
                    <Timeline endpoint={processApi.history} id={id} />
                  </RecordCard>,
                ],
              },
            ]
          : []),
      ]}
    />
  );
}

function ChildCard({ record }: { record: ProcessRecord }) {
  const { t } = useLingui();
  const { id, may, grade, program, branch, quota, age, receivedOn, sibling, student } = record;
  return (
    <RecordCard
      title={<Trans>Child and form</Trans>}
      actions={
        may.readForm && (
          <PageLink to="/school-erp/admission/review-list/$inquiryID" params={{ inquiryID: String(id) }}>
            <Trans>Form</Trans>
          </PageLink>
        )
      }
    >
      <Facts
        facts={[
          { label: t`Grade`, value: [grade, program, branch].join(', ') },
          { label: t`Quota`, value: quota && translateOption(quota) },
          { label: t`Age`, value: age && translate(age.words) },
          { label: t`Form received on`, value: receivedOn && showDate(receivedOn) },
          { label: t`Brother or sister`, value: sibling },
          {
            label: t`Student`,
            value: student && (
              <PageLink to="/school-erp/student/student-list/$studentID" params={{ studentID: String(student.id) }}>
                {student.grNo}
              </PageLink>
            ),
          },
        ]}
      />
    </RecordCard>
  );
}
