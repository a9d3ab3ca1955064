import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translateOption } from '#kit/browser/text.ts';
import { AddressTabs } from '#kit/browser/ui/AddressTabs.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { SearchLink } from '#kit/browser/ui/PageLink.tsx';
import { Overdue, Status } from '#kit/browser/ui/Status.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import { processApi } from '../contract/process.ts';
import { processList } from '../contract/process-list.ts';
import { slotApi } from '../contract/slot.ts';
import { InquiryStateChip } from './InquiryState.tsx';
import { OfAdmissionYear } from './OfAdmissionYear.tsx';
import { DecideSelected } from './process/DecideSelected.tsx';
import { Letters } from './process/Letters.tsx';
import { OfferTimes } from './process/OfferTimes.tsx';
import { PlanSlots } from './process/PlanSlots.tsx';
import { PrintLetters } from './process/PrintLetters.tsx';
import { ComingReleases, ReleaseSelected, UndoSelected } from './process/ReleaseSelected.tsx';
import { SeatPlan } from './process/SeatPlan.tsx';
import { SlotDay } from './process/SlotDay.tsx';
import { TimeChoices } from './process/TimeChoices.tsx';
import { WaitingInOtherYears } from './WaitingInOtherYears.tsx';

/** /school-erp/admission/process-admission: verified forms and the seats of the year. */
export function ProcessAdmissionPage() {
  const { t } = useLingui();
  const { address } = useListAddress();
  // Assessors read their slots alone.
  const readsAll = useMay(processApi.history);
  const [head, setHead] = useState<HTMLElement | null>(null);
  const show = readsAll ? (address.show ?? '') : 'slots';
  return (
    <>
      <PageHead title={t`Process Admission`}>{show === 'seats' && <div ref={setHead} />}</PageHead>
      {readsAll && (
        <AddressTabs
          label={t`Process Admission`}
          name="show"
          tabs={[
            { key: '', title: t`Applications` },
            { key: 'seats', title: t`Seats` },
            { key: 'slots', title: t`Slots` },
            { key: 'letters', title: t`Letters` },
          ]}
          current={show}
        />
      )}
      <View show={show} head={head} />
    </>
  );
}

function View({ show, head }: { show: string; head: HTMLElement | null }) {
  if (show === 'seats') return <SeatPlan head={head} />;
  if (show === 'slots')
    return (
      <>
        <TimeChoices />
        <SlotDay />
      </>
    );
  return show === 'letters' ? <Letters /> : <Applications />;
}

function Applications() {
  const { t } = useLingui();
  const isHead = useMay(processApi.decide);
  const isPlanner = useMay(slotApi.plan);
  const decisionWords = { Offer: t`Offer`, Waitlist: t`Waiting list`, Reject: t`Declined` };
  return (
    <OfAdmissionYear>
      {(usual) => (
        <RecordList
          usual={usual}
          list={processList}
          open={({ id }) => ({
            to: '/school-erp/admission/process-admission/$inquiryID',
            params: { inquiryID: String(id) },
          })}
          notice={
            <>
              <WaitingInOtherYears what="toDecide" usual={usual} />
              {isHead && <ComingReleases />}
            </>
          }
          cells={{
            state: ({ state }) => <InquiryStateChip state={state as 'New'} />,
            decision: ({ decision }) =>
              decision && <Status kind="accent">{decisionWords[decision as keyof typeof decisionWords]}</Status>,
            fee: ({ fee }) => fee && <Status kind={fee === 'Paid' ? 'good' : 'warn'}>{translateOption(fee)}</Status>,
            offerExpiresOn: ({ offerExpiresOn, isLate }) => {
              const day = offerExpiresOn && showDate(offerExpiresOn, today());
              return isLate ? <Overdue>{day}</Overdue> : day;
            },
          }}
          bulk={(selection, clear) => (
            <>
              {isPlanner && (
                <>
                  <PlanSlots selection={selection} onDone={clear} />
                  <OfferTimes selection={selection} onDone={clear} />
                </>
              )}
              {isHead && (
                <>
                  <DecideSelected kind="Offer" selection={selection} onDone={clear} />
                  <DecideSelected kind="Waitlist" selection={selection} onDone={clear} />
                  <DecideSelected kind="Reject" selection={selection} onDone={clear} />
                  <UndoSelected selection={selection} onDone={clear} />
                  <ReleaseSelected selection={selection} onDone={clear} />
                </>
              )}
              <PrintLetters selection={selection} />
            </>
          )}
          empty={{
            message: <Trans>No applications yet. A form comes here once its review is verified.</Trans>,
            children: (
              <SearchLink search={{ show: 'seats' }}>
                <Trans>Plan seats</Trans>
              </SearchLink>
            ),
          }}
        />
      )}
    </OfAdmissionYear>
  );
}
