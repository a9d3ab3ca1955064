import { useLingui } from '@lingui/react/macro';
import {
  IconArmchair,
  IconArrowBackUp,
  IconArrowsExchange,
  IconCalendarPlus,
  IconCalendarX,
  IconCircleX,
  IconClipboardCheck,
  IconFileText,
  IconHourglass,
  IconMailForward,
  IconPlayerSkipForward,
  IconPrinter,
  IconReceiptRupee,
  IconRefresh,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { usePreview } from '#kit/browser/data/preview.tsx';
import type { Act } from '#kit/browser/ui/ActMenu.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { type ProcessRecord, processApi } from '../../contract/process.ts';
import { reviewPaperApi } from '../../contract/review-paper.ts';
import { slotApi } from '../../contract/slot.ts';
import type { FormName } from './ApplicationForm.tsx';

// What opens over the page is read once it is wanted.
const ApplicationForm = lazy(async () => ({ default: (await import('./ApplicationForm.tsx')).ApplicationForm }));
const DecideDialog = lazy(async () => ({ default: (await import('./DecideSelected.tsx')).DecideDialog }));
const PaymentForm = lazy(async () => ({ default: (await import('./PaymentForm.tsx')).PaymentForm }));
const PlanDialog = lazy(async () => ({ default: (await import('./PlanSlots.tsx')).PlanDialog }));
const ReleaseDialog = lazy(async () => ({ default: (await import('./ReleaseSelected.tsx')).ReleaseDialog }));
const UndoDialog = lazy(async () => ({ default: (await import('./ReleaseSelected.tsx')).UndoDialog }));
const ResultForm = lazy(async () => ({ default: (await import('./ResultForm.tsx')).ResultForm }));

type Opened = FormName | 'plan' | 'result' | 'Offer' | 'Waitlist' | 'Reject' | 'release' | 'pay';
type Interaction = ProcessRecord['interactions'][number];

export type ActName =
  | Exclude<Opened, 'Offer' | 'Waitlist' | 'Reject'>
  | ('attended' | 'absent' | 'cancel' | 'offer' | 'waitlist' | 'decline' | 'undo' | 'accept' | 'letter' | 'print');

const nothing = () => undefined;

/** The acts on an application that this user may do now, by name, and what they open. */
export function useApplicationActs(record: ProcessRecord) {
  const { t } = useLingui();
  const toast = useToast();
  const [opened, setOpened] = useState<Opened>();
  const [chosen, setChosen] = useState<Interaction>();
  const attend = useAction(slotApi.attend);
  const cancel = useAction(slotApi.cancel);
  const accept = useAction(processApi.accept);
  const undo = usePreview(processApi.undo);
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  const { id, version, may, next, interactions, child, inquiryNo, state } = record;
  const selection = { ids: [id], isAll: false, query: {} };
  // A key may open the next one before the browser says that this one is closed.
  const close = () => setOpened((now) => (now === opened ? undefined : now));
  const open = (what: Opened) => () => setOpened(what);
  const openResult = (interaction: Interaction) => {
    setChosen(interaction);
    setOpened('result');
  };
  const acceptSeat = async () => {
    if (await accept.run({ id, version })) toast({ kind: 'success', title: t`Seat confirmed.`, of: child });
  };
  // The last one that took place or is to, with a result of one’s own to enter first.
  const toEnter = interactions.find(({ may, own }) => may.write && !own) ?? interactions.find(({ may }) => may.write);
  const toAttend =
    interactions.find(({ may, status }) => may.attend && status === 'Planned') ??
    interactions.find(({ may }) => may.attend);
  const toCancel = interactions.find(({ may }) => may.cancel);
  const isBackup = next === 'plan' || interactions.every(({ status }) => status === 'Cancelled');
  const acts: { [Name in ActName]?: Act | false | undefined } = {
    plan: may.plan && {
      words: isBackup ? t`Plan interaction…` : t`Plan another interaction…`,
      Icon: IconCalendarPlus,
      shortcut: 'p',
      run: open('plan'),
    },
    result: toEnter && {
      words: toEnter.own ? t`Change result…` : t`Enter result…`,
      Icon: IconClipboardCheck,
      shortcut: 'r',
      run: () => openResult(toEnter),
    },
    attended: toAttend &&
      toAttend.status !== 'Came' && {
        words: t`Attended`,
        Icon: IconUserCheck,
        shortcut: 't',
        run: () => void attend.run({ id: toAttend.id, status: 'Came' }),
      },
    absent: toAttend &&
      toAttend.status !== 'No-show' && {
        words: t`Did not attend`,
        Icon: IconUserOff,
        shortcut: 'a',
        run: () => void attend.run({ id: toAttend.id, status: 'No-show' }),
      },
    cancel: toCancel && {
      words: t`Cancel interaction and tell the family`,
      Icon: IconCalendarX,
      run: () => void cancel.run({ id: toCancel.id }),
    },
    notNeeded: may.notNeeded && {
      words: t`Skip interaction…`,
      Icon: IconPlayerSkipForward,
      run: open('notNeeded'),
    },
    offer: may.decide && { words: t`Offer…`, Icon: IconArmchair, shortcut: 'o', run: open('Offer') },
    waitlist: may.decide &&
      state !== 'Waitlisted' && {
        words: t`Put on the waiting list…`,
        Icon: IconHourglass,
        shortcut: 'w',
        run: open('Waitlist'),
      },
    decline: may.decide && { words: t`Decline…`, Icon: IconCircleX, shortcut: 'd', isEnd: true, run: open('Reject') },
    release: may.release && { words: t`Release…`, Icon: IconMailForward, shortcut: 'l', run: open('release') },
    undo: may.undo && {
      words: t`Undo the decision…`,
      Icon: IconArrowBackUp,
      run: () => void undo.show({ selection }),
    },
    pay: may.pay && { words: t`Record fee…`, Icon: IconReceiptRupee, shortcut: 'f', run: open('pay') },
    accept: may.accept && {
      words: t`Family accepts`,
      Icon: IconUserCheck,
      shortcut: 'f',
      run: () => void acceptSeat(),
    },
    move: may.move &&
      record.otherSeats.length > 0 && {
        words: t`Change class or quota…`,
        Icon: IconArrowsExchange,
        run: open('move'),
      },
    extend: may.extend && { words: t`More days to answer…`, Icon: IconHourglass, run: open('extend') },
    askWaiver: may.askWaiver && { words: t`Ask to waive the fee…`, Icon: IconReceiptRupee, run: open('askWaiver') },
    reverse: may.reverse &&
      record.payments.some(({ isReversed }) => !isReversed) && {
        words: t`Reverse the payment…`,
        Icon: IconArrowBackUp,
        isEnd: true,
        run: open('reverse'),
      },
    letter: may.readLetter && {
      words: t`Letter (PDF)`,
      Icon: IconFileText,
      run: () =>
        void attempt(async () =>
          download(
            (await import('../../contract/letter.ts')).letterApi.print,
            { id: String(id) },
            `letter-${inquiryNo.replaceAll('/', '-')}.pdf`,
          ),
        ),
    },
    print: may.printForm && {
      words: t`Print the form`,
      Icon: IconPrinter,
      run: () => void attempt(() => download(reviewPaperApi.print, { id: String(id) }, t`admission-form.pdf`)),
    },
    reject: may.reject && {
      words: t`Decline without a message…`,
      Icon: IconCircleX,
      isEnd: true,
      run: open('reject'),
    },
    withdraw: may.withdraw && {
      words: t`Withdrawn by the family…`,
      Icon: IconArrowBackUp,
      isEnd: true,
      run: open('withdraw'),
    },
    reopen: may.reopen && { words: t`Reopen…`, Icon: IconRefresh, run: open('reopen') },
  };
  const dialogs: ReactNode = (
    <>
      {attend.problem}
      {cancel.problem}
      {accept.problem}
      {problem}
      <Suspense fallback={null}>
        <UndoDialog preview={undo} onDone={nothing} />
        {opened === 'plan' && <PlanDialog selection={selection} onDone={nothing} onClose={close} />}
        {opened === 'release' && <ReleaseDialog selection={selection} onDone={nothing} onClose={close} />}
        {(opened === 'Offer' || opened === 'Waitlist' || opened === 'Reject') && (
          <DecideDialog kind={opened} selection={selection} onDone={nothing} onClose={close} />
        )}
        {opened === 'pay' && <PaymentForm record={record} onClose={close} />}
        {opened === 'result' && chosen && <ResultForm interaction={chosen} onClose={close} />}
        {isForm(opened) && <ApplicationForm name={opened} record={record} onClose={close} />}
      </Suspense>
    </>
  );
  return { acts, dialogs, openResult };
}

const forms = ['move', 'extend', 'notNeeded', 'askWaiver', 'reverse', 'reject', 'withdraw', 'reopen'] as const;
const isForm = (opened: Opened | undefined): opened is FormName => (forms as readonly unknown[]).includes(opened);
