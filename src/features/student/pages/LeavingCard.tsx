import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { type Preview, usePreview } from '#kit/browser/data/preview.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { CardButtons, RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { typedOf } from '#kit/browser/record/versions.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { backToTitle } from '#kit/browser/ui/PageHead.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { Unsaved } from '#kit/browser/ui/unsaved.tsx';
import { showDate } from '#kit/contract/day.ts';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { type Leaving, leavingApi, leavingFields } from '../contract/leaving.ts';
import type { StudentHead } from '../contract/record.ts';
import { NeverJoined, UndoNeverJoined } from './NeverJoined.tsx';
import { Readmit } from './Readmit.tsx';
import { TextLines } from './TextLines.tsx';

interface Props {
  head: StudentHead;
}

/** The last day at the school, its undoing, and coming back. */
export function LeavingCard({ head }: Props) {
  const [form, setForm] = useState<'leave' | 'undo' | 'readmit' | 'never' | 'undo never'>();
  const leavings = useRead(leavingApi.leavings, { id: head.id });
  const close = () => setForm(undefined);
  return (
    <RecordCard isEmpty={leavings.data?.leavings.length === 0} title={<Trans>Leaving</Trans>}>
      <QueryBoundary query={leavings}>
        {({ leavings: all, may }) => {
          const open = all.find(({ isUndone, readmittedOn }) => !isUndone && readmittedOn === '');
          return (
            <>
              {open ? (
                <OpenLeaving leaving={open} />
              ) : (
                <p>
                  <Trans>No last day is set.</Trans>
                </p>
              )}
              <Earlier leavings={all.filter((leaving) => leaving !== open)} />
              <CardButtons>
                {may.leave && (
                  <Button onClick={() => setForm('leave')}>
                    {open ? <Trans>Change the leaving…</Trans> : <Trans>Leave…</Trans>}
                  </Button>
                )}
                {may.neverJoined && (
                  <Button onClick={() => setForm('never')}>
                    <Trans>Never joined…</Trans>
                  </Button>
                )}
                {may.undoNeverJoined && (
                  <Button onClick={() => setForm('undo never')}>
                    <Trans>Undo “Never joined”…</Trans>
                  </Button>
                )}
                {may.undo && (
                  <Button onClick={() => setForm('undo')}>
                    <Trans>Undo the leaving…</Trans>
                  </Button>
                )}
                {may.readmit && (
                  <Button onClick={() => setForm('readmit')}>
                    <Trans>Re-admit…</Trans>
                  </Button>
                )}
              </CardButtons>
              {form === 'leave' && <Leave head={head} open={open} onClose={close} />}
              {form === 'undo' && <Undo head={head} onClose={close} />}
              {form === 'never' && <NeverJoined head={head} onClose={close} />}
              {form === 'undo never' && <UndoNeverJoined head={head} onClose={close} />}
              {form === 'readmit' && open && <Readmit head={head} lastDay={open.saved.lastDay} onClose={close} />}
            </>
          );
        }}
      </QueryBoundary>
    </RecordCard>
  );
}

function OpenLeaving({ leaving: { saved, reason, by } }: { leaving: Leaving }) {
  const { t } = useLingui();
  return (
    <Facts
      facts={[
        { label: t`Last day`, value: showDate(saved.lastDay) },
        { label: t`Reason`, value: reason },
        { label: t`Conduct`, value: saved.conduct },
        { label: t`Progress`, value: saved.progress },
        { label: t`Next school`, value: saved.nextSchool },
        { label: t`Remark`, value: saved.remark },
        { label: t`Entered by`, value: by },
      ]}
    />
  );
}

/** Leavings that were undone, and those from which the student came back. */
function Earlier({ leavings }: { leavings: Leaving[] }) {
  if (leavings.length === 0) return null;
  return (
    <ul className="soft">
      {leavings.map(({ id, saved, readmittedOn, undoneBy, undoReason }) => {
        const [lastDay, back] = [showDate(saved.lastDay), readmittedOn && showDate(readmittedOn)];
        return (
          <li key={id}>
            {back ? (
              <Trans>
                Left on {lastDay}, re-admitted on {back}
              </Trans>
            ) : (
              <Trans>
                Last day {lastDay}: undone by {undoneBy} ({undoReason})
              </Trans>
            )}
          </li>
        );
      })}
    </ul>
  );
}

interface LeaveProps extends Props {
  open?: Leaving | undefined;
  onClose: () => void;
}

/** Asks for the last day, then shows what ends with it. */
export function Leave({ head: { id, name }, open, onClose }: LeaveProps) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(leavingApi.leave);
  const { ends = [], owes = [], blocks = [] } = preview.shown?.answer ?? {};
  const isBlocked = blocks.length > 0;
  const title = t`${name} leaves`;
  return (
    <SideDialog title={title} about={t`You will see what ends first.`} onClose={onClose}>
      {(close) => (
        <>
          <ApiForm
            endpoint={leavingApi.leave}
            label={title}
            initial={
              open
                ? typedOf(leavingFields, open.saved)
                : { ...emptyValuesOf(leavingFields), lastDay: today(), conduct: 'Good', progress: 'Satisfactory' }
            }
            hiddenValues={{ id }}
            onDone={(answer, input) => preview.take(input, answer)}
            buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />}
          >
            <FieldControls fields={leavingFields} />
          </ApiForm>
          {preview.shown && <Unsaved />}
          <PreviewDialog
            preview={preview}
            title={isBlocked ? t`${name} can’t leave yet` : title}
            confirm={<Trans>Confirm</Trans>}
            details={
              <>
                <TextLines lines={isBlocked ? blocks : ends} />
                {owes.length > 0 && (
                  <>
                    <p>
                      <Trans>Still owed:</Trans>
                    </p>
                    <TextLines lines={owes} />
                  </>
                )}
              </>
            }
            onApplied={() => {
              close();
              toast({ kind: 'success', title: t`The last day of ${name} was saved.` });
            }}
          >
            {isBlocked ? <Trans>Fix this first:</Trans> : <Trans>This ends:</Trans>}
          </PreviewDialog>
        </>
      )}
    </SideDialog>
  );
}

/** Asks why, then shows what returns. */
function Undo({ head: { id, name }, onClose }: Props & { onClose: () => void }) {
  const { t } = useLingui();
  const preview = usePreview(leavingApi.undo);
  const title = t`Undo the leaving of ${name}`;
  return (
    <SideDialog title={title} about={t`You will see what returns first.`} onClose={onClose}>
      {(close) => (
        <>
          <ApiForm
            endpoint={leavingApi.undo}
            label={title}
            initial={{ reason: '' }}
            hiddenValues={{ id }}
            onDone={(answer, input) => preview.take(input, answer)}
            buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />}
          >
            <TextField name="reason" />
          </ApiForm>
          {preview.shown && <Unsaved />}
          <Returns preview={preview} name={name} title={title} onApplied={close} />
        </>
      )}
    </SideDialog>
  );
}

interface ReturnsProps {
  preview: Preview<typeof leavingApi.undo>;
  name: string;
  title: string;
  onApplied: () => void;
}

function Returns({ preview, name, title, onApplied }: ReturnsProps) {
  const { t } = useLingui();
  const toast = useToast();
  const { returns = [], blocks = [] } = preview.shown?.answer ?? {};
  const isBlocked = blocks.length > 0;
  return (
    <PreviewDialog
      preview={preview}
      title={title}
      confirm={<Trans>Undo the leaving</Trans>}
      details={<TextLines lines={isBlocked ? blocks : returns} />}
      onApplied={() => {
        onApplied();
        backToTitle(); // The pressed button is gone.
        toast({ kind: 'success', title: t`The leaving was undone.`, of: name });
      }}
    >
      {isBlocked ? <Trans>Fix this first:</Trans> : <Trans>This returns:</Trans>}
    </PreviewDialog>
  );
}
