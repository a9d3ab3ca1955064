import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { useRecordCards } from '#kit/browser/record/added.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { RemoveRecord } from '#kit/browser/record/removal.tsx';
import { Timeline } from '#kit/browser/record/Timeline.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { ChipKind } from '#kit/browser/ui/Chip.tsx';
import { Portrait } from '#kit/browser/ui/Initials.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { PhoneLink } from '#kit/browser/ui/PhoneLink.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showDate } from '#kit/contract/day.ts';
import { staffList } from '../contract/list.ts';
import { type StaffRecord, staffRecordApi } from '../contract/record.ts';
import { DocumentsCard } from './DocumentsCard.tsx';
import { EducationCard } from './EducationCard.tsx';
import { PostCard, PostsCard, SpellsCard } from './EmploymentCard.tsx';
import { IdCardsButton } from './IdCardsButton.tsx';
import { LeavingCard } from './LeavingCard.tsx';
import { PersonCard } from './PersonCard.tsx';
import { PictureForm } from './PictureForm.tsx';

/** /school-erp/staff/view-staff/{userID}: one's own record, one that the user keeps, or a colleague's card. */
export function ProfilePage() {
  const { userID } = useParams({ strict: false }) as { userID: string };
  const { t } = useLingui();
  const record = useRead(staffRecordApi.read, { id: userID });
  return (
    <>
      {record.error && !record.data && <PageHead title={t`Profile`} />}
      <QueryBoundary query={record}>{(found) => <Record record={found} />}</QueryBoundary>
    </>
  );
}

function Record({ record }: { record: StaffRecord }) {
  const { t } = useLingui();
  const { card, isOwn, may, person, status } = record;
  const { name, picture, designation, department } = card;
  const navigate = usePageNavigate();
  const readsList = useMay(staffList.api.list);
  const cardsOf = useRecordCards('staff', record);
  const profile = {
    key: 'profile',
    title: t`Profile`,
    cards: cardsOf('profile', {
      10: <PersonCard key="person" record={record} />,
    }),
  };
  const employment = {
    key: 'employment',
    title: t`Employment`,
    cards: cardsOf('employment', {
      10: <PostCard key="post" record={record} />,
      20: <PostsCard key="posts" record={record} />,
      30: <SpellsCard key="spells" record={record} />,
      40: may.update && <LeavingCard key="leaving" record={record} />,
    }),
  };
  const documents = {
    key: 'documents',
    title: t`Education and documents`,
    cards: cardsOf('documents', {
      10: <EducationCard key="education" record={record} />,
      20: <DocumentsCard key="documents" record={record} />,
    }),
  };
  const account = { key: 'account', title: t`Account`, cards: cardsOf('account') };
  const history = {
    key: 'history',
    title: t`History`,
    cards: [
      <RecordCard key="history" isWide title={<Trans>History</Trans>} isTitleHidden>
        <Timeline endpoint={staffRecordApi.history} id={record.id} />
      </RecordCard>,
    ],
  };
  return (
    <RecordPage
      title={name}
      of={
        readsList
          ? { list: staffList, id: record.id, page: '/school-erp/staff/staff-list', title: t`Staff List` }
          : undefined
      }
      picture={isOwn || may.update ? <PictureForm record={record} /> : <Portrait name={name} picture={picture} />}
      about={[designation, department].filter(Boolean).join(', ')}
      chips={<StaffStatus record={record} />}
      contact={person?.mobile && <PhoneLink mobile={person.mobile} />}
      actions={
        (may.update || isOwn) && (
          <>
            {may.update && status !== 'Left' && (
              <IdCardsButton selection={{ ids: [record.id], isAll: false, query: {} }} isOne />
            )}
            {may.remove && (
              <RemoveRecord
                endpoint={staffRecordApi.remove}
                input={{ id: record.id, version: record.version }}
                name={name}
                onRemoved={() => void navigate({ to: '/school-erp/staff/staff-list' })}
              />
            )}
            {isOwn && <OwnData />}
          </>
        )
      }
      parts={[
        profile,
        ...(person ? [employment, documents] : []),
        ...(account.cards.length > 0 ? [account] : []),
        ...(may.update ? [history] : []),
      ]}
    />
  );
}

/** Everything that the record has of the user, as a PDF. */
function OwnData() {
  const { t } = useLingui();
  const download = useDownload();
  const { attempt, isBusy, problem } = useAttempt();
  const fileName = t`my-data.pdf`;
  return (
    <>
      <Button isBusy={isBusy} onClick={() => attempt(() => download(staffRecordApi.ownData, {}, fileName))}>
        <Trans>Download my data</Trans>
      </Button>
      {problem}
    </>
  );
}

const statusKinds: Readonly<Record<NonNullable<StaffRecord['status']>, ChipKind>> = {
  Active: 'good',
  Joining: 'info',
  Left: 'plain',
};

function StaffStatus({ record: { status, lastDay } }: { record: StaffRecord }) {
  if (!status) return null;
  const day = lastDay && showDate(lastDay);
  return (
    <>
      <Status kind={statusKinds[status]}>{translateOption(status)}</Status>
      {day && (
        <span className="soft">
          <Trans>Last day: {day}</Trans>
        </span>
      )}
    </>
  );
}
