import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { Timeline } from '#kit/browser/record/Timeline.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { type Act, ActMenu } from '#kit/browser/ui/ActMenu.tsx';
import { Button, ButtonLink } from '#kit/browser/ui/Button.tsx';
import { Portrait } from '#kit/browser/ui/Initials.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { accountApi } from '../contract/account.ts';
import { type ProcessRecord, processApi } from '../contract/process.ts';
import { processList } from '../contract/process-list.ts';
import { InquiryStateChip } from './InquiryState.tsx';
import { ApplicationStory, FamilyCard, NotesCard } from './process/ApplicationStory.tsx';
import { StageNow } from './process/StageNow.tsx';
import { type ActName, useApplicationActs } from './process/use-application-acts.tsx';

/** /school-erp/admission/process-admission/{inquiryID}: one application from its verified form to its seat. */
export function ProcessRecordPage() {
  const { inquiryID } = useParams({ strict: false }) as { inquiryID: string };
  const { t } = useLingui();
  const record = useRead(processApi.read, { id: inquiryID });
  return (
    <>
      {record.error && !record.data && <PageHead title={t`Process Admission`} />}
      <QueryBoundary query={record}>{(found) => <Application key={found.id} record={found} />}</QueryBoundary>
    </>
  );
}

/** The act that each of what can come next asks for; the others wait for somebody else. */
const actsOfNext: Partial<Record<ProcessRecord['next'], ActName>> = {
  plan: 'plan',
  attend: 'attended',
  result: 'result',
  decide: 'offer',
  waitlist: 'waitlist',
  release: 'release',
  pay: 'pay',
  accept: 'accept',
};

/** What the menu holds, in its groups: the interaction, the decision, and what ends the application. */
const groups: readonly (readonly ActName[])[] = [
  ['attended', 'absent', 'result', 'plan', 'notNeeded', 'cancel'],
  [
    ...(['offer', 'waitlist', 'undo', 'pay', 'accept', 'extend', 'askWaiver'] as const),
    ...(['move', 'letter', 'print', 'reopen'] as const),
  ],
  ['decline', 'reject', 'reverse', 'withdraw'],
];

/** The page of an application that is read. */
export function Application({ record }: { record: ProcessRecord }) {
  const { t } = useLingui();
  const { id, child, inquiryNo, state, grade, academicYear, quota, age, next } = record;
  const { acts, dialogs, openResult } = useApplicationActs(record);
  const account = useAccountLink(record);
  const main = actsOfNext[next];
  const mainAct = main && acts[main];
  const shown = groups.map((names) => names.map((name) => name !== main && acts[name]));
  const keys = [mainAct, ...shown.flat()].flatMap((act) => {
    const { shortcut, words } = act || {};
    return shortcut && words ? [[[shortcut.toUpperCase()], words.replace('…', '')] as const] : [];
  });
  return (
    <>
      <RecordPage
        title={child}
        of={{ list: processList, id, page: '/school-erp/admission/process-admission', title: t`Process Admission` }}
        picture={<Portrait name={child} />}
        about={[grade, quota && translateOption(quota), academicYear, age && translate(age.words), inquiryNo]
          .filter(Boolean)
          .join(' · ')}
        chips={<InquiryStateChip state={state} />}
        actions={<ActMenu label={t`More for ${child}`} groups={shown} />}
        keys={keys}
        below={<StageNow record={record} act={mainAct ? <NextAct act={mainAct} /> : account} />}
        parts={[
          {
            key: 'process',
            title: t`Application`,
            cards: [<ApplicationStory key="story" record={record} onResult={openResult} />],
            ...(record.quota && {
              aside: [<FamilyCard key="family" record={record} />, <NotesCard key="notes" record={record} />],
            }),
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
      {dialogs}
    </>
  );
}

/** The one act that is next. */
const NextAct = ({ act: { words, shortcut, run } }: { act: Act }) => (
  <Button kind="main" aria-keyshortcuts={shortcut} onClick={run}>
    {words} {shortcut && <kbd data-key={shortcut.toUpperCase()} />}
  </Button>
);

/** A link to the account of a confirmed seat, for those who may open it. */
function useAccountLink({ id, state }: ProcessRecord) {
  const mayCreate = useMay(accountApi.create) && state === 'Seat confirmed';
  const mayOpen = useMay(accountApi.read) && (state === 'Seat confirmed' || state === 'Admitted');
  return mayOpen ? (
    <ButtonLink
      kind={mayCreate ? 'main' : undefined}
      to="/school-erp/admission/confirm-admission/$inquiryID"
      params={{ inquiryID: String(id) }}
    >
      {mayCreate ? <Trans>Create the account</Trans> : <Trans>Account</Trans>}
    </ButtonLink>
  ) : undefined;
}
