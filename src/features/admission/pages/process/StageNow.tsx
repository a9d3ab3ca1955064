import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { translateOption } from '#kit/browser/text.ts';
import { type Stage, StageStrip } from '#kit/browser/ui/StageStrip.tsx';
import { showTime, today } from '#kit/browser/ui/show.ts';
import { showDate, toLocalDate } from '#kit/contract/day.ts';
import { showRupees } from '#kit/contract/money.ts';
import type { ProcessRecord } from '../../contract/process.ts';

interface Props {
  record: ProcessRecord;
  /** The one act that is next, where this user may do it. */
  act: ReactNode;
}

const stageOf = ({ next, state, decisions, quota }: ProcessRecord) => {
  if (state === 'Admitted') return 6;
  if (state === 'Seat confirmed') return 5;
  if (state === 'Offered' || state === 'Offer expired') return 4;
  if (next === 'plan' || next === 'meet' || next === 'attend' || next === 'result') return 2;
  if (quota !== null || decisions.length > 0) return 3;
  return state === 'Interaction done' ? 3 : 2;
};

export const isToday = (moment: string) => toLocalDate(new Date(moment)) === today();

/** The day of a moment as it is said, such as “today, 10:30”. */
export function useMomentWords() {
  const { t } = useLingui();
  return (moment: string) => {
    const day = toLocalDate(new Date(moment));
    const time = showTime(moment);
    return day === today() ? t`today, ${time}` : `${showDate(day, today())}, ${time}`;
  };
}

/** How far the application is, what comes next in a sentence, and the act for it. */
export function StageNow({ record, act }: Props) {
  const { t } = useLingui();
  const words = useMomentWords();
  const day = (value: string) => value && showDate(value, today());
  const { receivedOn, verifiedOn, seat, offerExpiresOn, interactions, student } = record;
  const met = interactions.find(({ status }) => status !== 'Cancelled');
  const current = stageOf(record);
  // Over without one: the seat needs none, or it was skipped for this child.
  const isSkipped = current > 2 && met?.status !== 'Came';
  const left = seat?.interaction === 'None' ? t`not needed` : isSkipped ? t`skipped` : '';
  const stages: Stage[] = [
    { name: t`Form`, detail: day(receivedOn) },
    { name: t`Review`, detail: day(verifiedOn) },
    { name: t`Interaction`, detail: met && !isSkipped ? words(met.startsAt) : left, isSkipped },
    { name: t`Decision` },
    {
      name: t`Offer and fee`,
      detail: offerExpiresOn ? t`until ${day(offerExpiresOn)}` : seat ? t`${seat.offerDays} days` : '',
    },
    { name: t`Admitted`, detail: student?.grNo && t`GR ${student.grNo}` },
  ];
  const [now, detail] = useNow(record);
  return <StageStrip label={t`Stages`} stages={stages} current={current} now={now} detail={detail} act={act} />;
}

/** What comes next, and what follows from it. */
function useNow(record: ProcessRecord): [ReactNode, ReactNode?] {
  const { t } = useLingui();
  const words = useMomentWords();
  const { next, state, interactions, seat, due, offerExpiresOn, rank, decisions, endedReason, quota } = record;
  const day = (value: string) => showDate(value, today());
  const met = interactions.find(({ status }) => status !== 'Cancelled');
  const held = decisions.find(({ isCancelled, releasedAt }) => !isCancelled && !releasedAt);
  const of = met?.assessors.length ?? 0;
  const received = met?.outcomes.length ?? 0;
  const ended = met && Date.parse(met.endsAt) < Date.now() && t`Interaction ended at ${showTime(met.endsAt)}.`;
  const heldWords = {
    Offer: t`An offer is on hold.`,
    Waitlist: t`A place on the waiting list is on hold.`,
    Reject: t`A refusal is on hold.`,
  };
  switch (next) {
    case 'plan':
      return met?.status === 'No-show'
        ? [
            <Trans key="now">
              <b>Did not attend on {day(toLocalDate(new Date(met.startsAt)))}.</b> Plan another interaction.
            </Trans>,
          ]
        : [
            <b key="now">{t`An interaction is needed before an offer.`}</b>,
            t`The family gets a message with the day and the time.`,
          ];
    case 'meet':
      return [
        <b key="now">
          {met &&
            (isToday(met.startsAt)
              ? t`The interaction is today at ${showTime(met.startsAt)}.`
              : t`The interaction is on ${words(met.startsAt)}.`)}
        </b>,
        t`Enter the result once it is over.`,
      ];
    case 'attend':
    case 'result':
      return [
        <span key="now">
          <b>{ended || (met && t`Interaction ${words(met.startsAt)}.`)}</b>{' '}
          {received > 0 && (
            <Trans>
              {received} of {of} results received.
            </Trans>
          )}
        </span>,
        next === 'attend'
          ? t`Mark the child as attended or absent, then enter the result. The family gets no message yet.`
          : t`With the result the application goes to Decision. The family gets no message yet.`,
      ];
    case 'decide':
      return [
        <b key="now">
          {seat
            ? t`${seat.free} seats are free in ${seat.grade}, ${translateOption(seat.quota)}.`
            : t`Ready for a decision.`}
        </b>,
        t`The decision is on hold until you release it to the family.`,
      ];
    case 'waitlist':
      return [<b key="now">{t`No seat is free.`}</b>, t`The waiting list keeps the application in its order.`];
    case 'waiting':
      return [
        <b key="now">{rank === null ? t`On the waiting list.` : t`Place ${rank} on the waiting list.`}</b>,
        t`It can be offered a seat once one is free.`,
      ];
    case 'unplanned':
      return [<b key="now">{t`No seats are planned for this grade and quota.`}</b>];
    case 'release':
      return [
        <b key="now">{held ? heldWords[held.kind] : t`A decision is on hold.`}</b>,
        t`The family gets its letter when you release it.`,
      ];
    case 'pay':
      return [
        <b key="now">
          {offerExpiresOn
            ? t`${showRupees(due)} until ${day(offerExpiresOn)} confirms the seat.`
            : t`${showRupees(due)} confirms the seat.`}
        </b>,
        t`The receipt confirms the seat at once.`,
      ];
    case 'accept':
      return [
        <b key="now">
          {offerExpiresOn ? t`The family can accept until ${day(offerExpiresOn)}.` : t`The family can accept the seat.`}
        </b>,
      ];
    case 'admit':
      return [<b key="now">{t`The seat is confirmed.`}</b>, t`Create the account to make the child a student.`];
    case 'none':
      if (state === 'Admitted') return [<b key="now">{t`The child is a student.`}</b>];
      if (quota === null) return [met ? t`Interaction ${words(met.startsAt)}.` : translateOption(state)];
      return [<b key="now">{translateOption(state)}</b>, endedReason];
  }
}
