import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconBan, IconCopy, IconSend } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { RunDialog } from '#features/run/ui/RunDialog.tsx';
import { useAction } from '#kit/browser/data/action.ts';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { ActMenu } from '#kit/browser/ui/ActMenu.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type Announcement, announcementApi } from '../contract/announcement.ts';
import { EditAnnouncement, NewVersion } from './AnnouncementForm.tsx';
import { ReachWords, SentWords } from './AudienceField.tsx';
import { ChangePeople } from './ChangePeople.tsx';

interface Props {
  announcement: Announcement;
}

/** What its author, the office and the principal do with an announcement. */
export function Acts({ announcement }: Props) {
  const { id, version, title, state, may, runId } = announcement;
  const { t } = useLingui();
  const toast = useToast();
  const navigate = usePageNavigate();
  const [open, setOpen] = useState<'edit' | 'withdraw' | number>();
  const close = () => setOpen(undefined);
  const watch = (run: number | null) => {
    if (run !== null) setOpen(run);
  };
  const undo = useAction(announcementApi.undo);
  const copy = useAction(announcementApi.copy);
  const remove = useAction(announcementApi.remove);
  const copyAndOpen = async () => {
    const made = await copy.run({ id });
    if (!made) return;
    toast({ kind: 'success', title: t`A copy was added as a draft.` });
    void navigate({
      to: '/school-erp/announcement/announcement-list/$announcementID',
      params: { announcementID: String(made.id) },
    });
  };
  return (
    <Row gap={8} wrap>
      {may.publish && <Publish announcement={announcement} />}
      {may.edit && (
        <Button onClick={() => setOpen('edit')}>
          {state === 'Draft' ? <Trans>Edit</Trans> : <Trans>Correct…</Trans>}
        </Button>
      )}
      {may.edit && state === 'Published' && <NewVersion announcement={announcement} onStarted={watch} />}
      {may.undoText && (
        <Button
          isBusy={undo.isBusy}
          onClick={async () => {
            if (await undo.run({ id, version })) toast({ kind: 'success', title: t`The earlier text is shown again.` });
          }}
        >
          <Trans>Undo the new version</Trans>
        </Button>
      )}
      {may.undo && (
        <Button
          isBusy={undo.isBusy}
          onClick={async () => {
            if (await undo.run({ id, version })) toast({ kind: 'success', title: t`It is a draft again.` });
          }}
        >
          {state === 'Published' ? <Trans>Undo</Trans> : <Trans>Change back to a draft</Trans>}
        </Button>
      )}
      {may.changePeople && <ChangePeople announcement={announcement} onStarted={watch} />}
      {may.remind && <Remind id={id} onStarted={watch} />}
      <ActMenu
        label={t`More acts`}
        groups={[
          [
            runId !== null && state === 'Published' && { words: t`Sending`, Icon: IconSend, run: () => watch(runId) },
            state !== 'Draft' && { words: t`Copy`, Icon: IconCopy, run: () => void copyAndOpen() },
          ],
          [may.withdraw && { words: t`Withdraw…`, Icon: IconBan, isEnd: true, run: () => setOpen('withdraw') }],
        ]}
      />
      {may.remove && (
        <ConfirmButton
          name={t`Delete ${title}`}
          label={<Trans>Delete</Trans>}
          confirm={<Trans>Delete</Trans>}
          question={<Trans>This can’t be undone.</Trans>}
          onConfirm={async () => {
            if (!(await remove.run({ id, version }))) return;
            toast({ kind: 'success', title: t`Deleted.` });
            void navigate({ to: '/school-erp/announcement/announcement-list', search: { part: 'written' } });
          }}
        />
      )}
      {undo.problem}
      {copy.problem}
      {remove.problem}
      {open === 'edit' && <EditAnnouncement announcement={announcement} onClose={close} />}
      {open === 'withdraw' && (
        <RecordForm
          title={t`Withdraw ${title}`}
          about={t`It is removed from the school page at once. Messages that were sent can’t be undone.`}
          endpoint={announcementApi.withdraw}
          initial={{ reason: '' }}
          hiddenValues={{ id, version }}
          words={<Trans>Withdraw</Trans>}
          saved={t`It was withdrawn.`}
          onClose={close}
        >
          <TextField name="reason" long />
        </RecordForm>
      )}
      {typeof open === 'number' && <RunDialog id={open} title={t`Sending`} onClose={close} />}
    </Row>
  );
}

/** Publishes a draft after a preview of its reach; the form of a new one leads here with the preview open. */
function Publish({ announcement: { id, version, title, may } }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const { address, go } = useListAddress();
  const publish = usePreview(announcementApi.publish);
  const isWanted = address.act === 'publish';
  const begin = useEffectEvent(() => {
    go({ ...address, act: '' });
    void publish.show({ id, version });
  });
  useEffect(() => {
    if (isWanted) begin();
  }, [isWanted]);
  const words: Record<string, string> = {
    Waiting: t`${title} is waiting for approval.`,
    Scheduled: t`${title} is scheduled.`,
    Published: t`${title} was published.`,
  };
  return (
    <>
      <Button kind="main" isBusy={publish.isBusy} onClick={() => publish.show({ id, version })}>
        {may.asks ? <Trans>Ask for approval…</Trans> : <Trans>Publish…</Trans>}
      </Button>
      {!publish.shown && publish.problem}
      <PreviewDialog
        preview={publish}
        title={may.asks ? t`Ask for approval of ${title}?` : t`Publish ${title}?`}
        confirm={may.asks ? <Trans>Ask for approval</Trans> : <Trans>Publish</Trans>}
        onApplied={(answer) =>
          toast({ kind: 'success', title: words[(answer as unknown as { state: string }).state] ?? '' })
        }
        details={
          publish.shown && (
            <>
              <ReachWords reach={publish.shown.answer} />
              <Unheard
                answer={publish.shown.answer}
                isBusy={publish.isBusy}
                onChoose={(ways) => publish.show({ id, version, ways })}
              />
            </>
          )
        }
      />
    </>
  );
}

interface UnheardProps {
  answer: Pick<OutputOf<typeof announcementApi.publish>, 'guardians' | 'instead'>;
  isBusy: boolean;
  onChoose: (ways: 'Messages' | 'Only on the page') => void;
}

/** What is published without a message to any guardian is refused, with the two ways out. */
function Unheard({ answer: { guardians, instead }, isBusy, onChoose }: UnheardProps) {
  if (!instead) return null;
  return (
    <Notice as="div" kind="bad">
      <p>
        <Plural
          value={guardians}
          one="No message goes out, so the guardian does not hear of it. Choose one:"
          other="No message goes out, so none of the # guardians hears of it. Choose one:"
        />
      </p>
      <Row gap={8} wrap>
        {instead.emails + instead.texts > 0 && (
          <Button isBusy={isBusy} onClick={() => onChoose('Messages')}>
            <span>
              <Trans>Send messages</Trans> (<SentWords {...instead} />)
            </span>
          </Button>
        )}
        <Button isBusy={isBusy} onClick={() => onChoose('Only on the page')}>
          <Trans>Only on the page</Trans>
        </Button>
      </Row>
    </Notice>
  );
}

function Remind({ id, onStarted }: { id: number; onStarted: (runId: number | null) => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const remind = usePreview(announcementApi.remind);
  const { guardians = 0, staff = 0, unreached = 0 } = remind.shown?.answer ?? {};
  return (
    <>
      <Button isBusy={remind.isBusy} onClick={() => remind.show({ id })}>
        <Trans>Remind readers…</Trans>
      </Button>
      {!remind.shown && remind.problem}
      <PreviewDialog
        preview={remind}
        title={t`Remind readers?`}
        confirm={<Trans>Remind</Trans>}
        onApplied={(answer) => {
          toast({ kind: 'success', title: t`Readers are reminded.` });
          onStarted((answer as unknown as { runId: number | null }).runId);
        }}
      >
        <Plural value={guardians} one="# guardian" other="# guardians" />, <Plural value={staff} other="# staff" />
        {unreached > 0 && (
          <>
            ; <Plural value={unreached} one="# guardian receives no messages" other="# guardians receive no messages" />
          </>
        )}
      </PreviewDialog>
    </>
  );
}
