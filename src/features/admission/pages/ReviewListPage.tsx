import { Trans, useLingui } from '@lingui/react/macro';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Overdue } from '#kit/browser/ui/Status.tsx';
import { reviewApi, reviewPickLists } from '../contract/review.ts';
import { reviewList } from '../contract/review-list.ts';
import { AssignSelected } from './AssignSelected.tsx';
import { InquiryStateChip } from './InquiryState.tsx';
import { OfAdmissionYear } from './OfAdmissionYear.tsx';
import { SendSelected } from './SendSelected.tsx';
import { WaitingInOtherYears } from './WaitingInOtherYears.tsx';

/** /school-erp/admission/review-list: the submitted forms, those that have waited longest first. */
export function ReviewListPage() {
  const { t } = useLingui();
  const isReviewer = useMay(reviewApi.assign);
  return (
    <>
      <PageHead title={t`Review List`} />
      <OfAdmissionYear>
        {(usual) => (
          <RecordList
            usual={usual}
            list={reviewList}
            notice={<WaitingInOtherYears what="toReview" usual={usual} />}
            open={({ id }) => ({
              to: '/school-erp/admission/review-list/$inquiryID',
              params: { inquiryID: String(id) },
            })}
            cells={{
              state: ({ state }) => <InquiryStateChip state={state as 'New'} />,
              waitingDays: ({ waitingDays, isLate }) =>
                isLate ? <Overdue>{waitingDays}</Overdue> : waitingDays === null ? '' : waitingDays,
            }}
            bulk={
              isReviewer
                ? (selection, clear) => (
                    <>
                      <SendSelected
                        selection={selection}
                        clear={clear}
                        endpoint={reviewApi.remindMany}
                        label={<Trans>Remind families…</Trans>}
                        title={t`Remind families of their correction`}
                        effect={(count) => t`Families to remind: ${count}`}
                      />
                      <AssignSelected
                        selection={selection}
                        clear={clear}
                        endpoint={reviewApi.assign}
                        field="reviewerId"
                        options={reviewPickLists.reviewerId}
                        title={t`Assign a reviewer to the selected forms`}
                        effect={(count) => t`Forms to assign: ${count}`}
                      />
                    </>
                  )
                : undefined
            }
            empty={{ message: <Trans>No forms to review. A form comes here once its family submits it.</Trans> }}
          />
        )}
      </OfAdmissionYear>
    </>
  );
}
