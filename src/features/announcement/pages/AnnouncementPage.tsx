import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { RichText } from '#kit/browser/rich-text/RichText.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Alert } from '#kit/browser/ui/Chip.tsx';
import { backToTitle, PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { type Announcement, announcementApi } from '../contract/announcement.ts';
import { isAnswered } from '../contract/asks.ts';
import { categoryBeside } from '../contract/priority.ts';
import { Acts } from './Acts.tsx';
import { Answers } from './Answers.tsx';
import { AsFamily } from './AsFamily.tsx';
import { rowWords } from './AudienceField.tsx';
import { Files } from './Files.tsx';
import { Receipts } from './Receipts.tsx';
import { stateKinds } from './state-kinds.ts';

interface Props {
  announcement: Announcement;
}

/** /school-erp/announcement/announcement-list/{announcementID}: the text, and for its author the receipts. */
export function AnnouncementPage() {
  const { announcementID } = useParams({ strict: false }) as { announcementID: string };
  const { t } = useLingui();
  const announcement = useRead(announcementApi.read, { id: announcementID });
  return (
    <>
      {announcement.error && !announcement.data && <PageHead title={t`Announcement`} />}
      <QueryBoundary query={announcement}>{(found) => <Record key={found.id} announcement={found} />}</QueryBoundary>
    </>
  );
}

function Record({ announcement }: Props) {
  const { t } = useLingui();
  const { id, title, author, publishAt, state, priority, own, number, figures, editedAt } = announcement;
  const seen = useAction(announcementApi.seen);
  const isUnread = own?.isRead === false;
  const note = useEffectEvent((text: number) => void seen.run({ id, number: text }));
  useEffect(() => {
    if (isUnread) note(number);
  }, [number, isUnread]);
  const isWriter = announcement.may.copy;
  const about = [
    categoryBeside(announcement),
    author,
    publishAt && showMoment(publishAt),
    editedAt && t`Edited on ${showMoment(editedAt)}`,
  ].filter(Boolean);
  const text = {
    key: 'text',
    title: t`Text`,
    cards: [
      <RecordCard key="text" title={<Trans>Text</Trans>} isTitleHidden isWide>
        <RichText blocks={announcement.body} />
        <Files announcement={announcement} />
        <Acknowledge announcement={announcement} />
      </RecordCard>,
      isWriter && <About key="about" announcement={announcement} />,
      isWriter && <AsFamily key="family" id={id} />,
      announcement.versions.length > 1 && <Versions key="versions" announcement={announcement} />,
    ],
  };
  const answers = figures &&
    isAnswered(announcement.asks) && {
      key: 'answers',
      title: t`Answers`,
      cards: [<Answers key="answers" announcement={announcement} />],
    };
  const receipts = figures && {
    key: 'receipts',
    title: t`Receipts`,
    cards: [<Receipts key="receipts" announcement={announcement} figures={figures} />],
  };
  return (
    <RecordPage
      title={title}
      back={{ to: '/school-erp/announcement/announcement-list', title: t`Announcement` }}
      about={about.join(' · ')}
      chips={
        <>
          {priority !== 'Normal' && (
            <Alert kind={priority === 'Emergency' ? 'bad' : 'warn'}>{translateOption(priority)}</Alert>
          )}{' '}
          {isWriter && <Status kind={stateKinds[state]}>{translateOption(state)}</Status>}
        </>
      }
      actions={isWriter && <Acts announcement={announcement} />}
      parts={[text, answers, receipts].filter((part) => part !== null && part !== undefined && part !== false)}
    />
  );
}

function Acknowledge({ announcement: { id, number, own, needsAcknowledgement, acknowledgeBy } }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const acknowledge = useAction(announcementApi.acknowledge);
  if (!own || !needsAcknowledgement) return null;
  if (own.isAcknowledged)
    return (
      <p className="soft">
        <Trans>You have acknowledged it.</Trans>
      </p>
    );
  return (
    <>
      <p>
        <Button
          kind="main"
          isBusy={acknowledge.isBusy}
          onClick={async () => {
            if (!(await acknowledge.run({ id, number }))) return;
            toast({ kind: 'success', title: t`Acknowledged.` });
            // Its button is gone.
            backToTitle();
          }}
        >
          <Trans>Acknowledge</Trans>
        </Button>{' '}
        {acknowledgeBy && <Trans>by {showDate(acknowledgeBy)}</Trans>}
      </p>
      {acknowledge.problem}
    </>
  );
}

function About({ announcement }: Props) {
  const { t } = useLingui();
  const { audience, branch, sendsEmail, sendsSms, expiresAt, isPinned, withdrawnReason, asks, options, acknowledgeBy } =
    announcement;
  const people = audience.map((row) => (row.isExcluded ? t`all but ${rowWords(row)}` : rowWords(row)));
  const channels = [t`school page`, sendsEmail && t`email`, sendsSms && t`text message`].filter(Boolean);
  return (
    <RecordCard title={<Trans>About this announcement</Trans>}>
      <Facts
        facts={[
          { label: t`For`, value: people.join(', ') },
          { label: t`Branch`, value: branch || t`All branches` },
          { label: t`Sent by`, value: channels.join(', ') },
          { label: t`Asks for`, value: asks === 'Nothing' ? '' : [translateOption(asks), ...options].join(' · ') },
          { label: t`Until`, value: acknowledgeBy && showDate(acknowledgeBy) },
          { label: t`Expires`, value: expiresAt && showMoment(expiresAt) },
          { label: t`Tags`, value: announcement.tags.map(({ name }) => name).join(', ') },
          { label: t`Pinned`, value: isPinned ? t`Yes` : '' },
          { label: t`Withdrawn because`, value: withdrawnReason },
        ]}
      />
    </RecordCard>
  );
}

function Versions({ announcement: { versions } }: Props) {
  return (
    <RecordCard title={<Trans>Versions</Trans>}>
      <ol reversed>
        {versions.map(({ number, title, by, writtenAt, isReadingReset, read, acknowledged }) => (
          <li key={number}>
            {title}
            <div className="soft">
              {by}, {showMoment(writtenAt)} · <Trans>{read} read it</Trans>
              {acknowledged > 0 && (
                <>
                  , <Trans>{acknowledged} acknowledged it</Trans>
                </>
              )}
              {isReadingReset && (
                <>
                  {' · '}
                  <Trans>New version</Trans>
                </>
              )}
            </div>
          </li>
        ))}
      </ol>
    </RecordCard>
  );
}
