import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { RunDialog } from '#features/run/ui/RunDialog.tsx';
import { useAction } from '#kit/browser/data/action.ts';
import { type Preview, usePreview } from '#kit/browser/data/preview.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { SelectField } from '#kit/browser/form/fields.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import { processApi, releaseHours } from '../../contract/process.ts';
import { LetterWords } from './LetterWords.tsx';
import { ToldFamilies } from './ToldFamilies.tsx';

interface Props {
  selection: Selection;
  onDone: () => void;
}

/** Releases held decisions, with the button that opens it. */
export function ReleaseSelected({ selection, onDone }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Release…</Trans>
      </Button>
      {isOpen && <ReleaseDialog selection={selection} onDone={onDone} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Releases held decisions to their families, in a moment or at a chosen time, after the message was shown. */
export function ReleaseDialog({ selection, onDone, onClose }: Props & { onClose: () => void }) {
  const { t } = useLingui();
  const [run, setRun] = useState<number>();
  const preview = usePreview(processApi.release);
  const title = t`Release decisions`;
  const { example = null, letters = [] } = preview.shown?.answer ?? {};
  const kindWords = { Offer: t`Offers`, Waitlist: t`Waiting list`, Reject: t`Declined` };
  return (
    <>
      {run === undefined && (
        <SideDialog title={title} onClose={onClose}>
          {(close) => (
            <ApiForm
              endpoint={processApi.release}
              label={title}
              initial={{ day: '', hour: '' }}
              hiddenValues={{ selection }}
              onDone={(answer, input) => preview.take(input, answer)}
              buttons={(isSending) => (
                <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />
              )}
            >
              <p className="soft">
                <Trans>Leave the day empty to release now. You can undo it for half a minute.</Trans>
              </p>
              <DateField name="day" toward="future" />
              <SelectField name="hour" options={releaseHours} />
            </ApiForm>
          )}
        </SideDialog>
      )}
      <BulkAct
        preview={preview}
        title={title}
        effect={(count) => t`Families that get the decision: ${count}`}
        confirm={<Trans>Release</Trans>}
        details={
          <>
            <ToldFamilies example={example} />
            {letters.map(({ kind, count, child, subject, body }) => (
              <details key={kind}>
                <summary>
                  <Trans>
                    {kindWords[kind]}: {count}, letter about {child}
                  </Trans>
                </summary>
                <LetterWords subject={subject} body={body} />
              </details>
            ))}
          </>
        }
        onApplied={(answer) => {
          const { runId } = answer as unknown as { runId: number | null };
          if (runId === null) onClose();
          else setRun(runId);
        }}
      />
      {run !== undefined && (
        <RunDialog
          id={run}
          title={title}
          onClose={() => {
            onClose();
            onDone();
          }}
        />
      )}
    </>
  );
}

/** Cancels held decisions, with the button that asks for it. */
export function UndoSelected({ selection, onDone }: Props) {
  const preview = usePreview(processApi.undo);
  return (
    <>
      <Button onClick={() => void preview.show({ selection })}>
        <Trans>Undo…</Trans>
      </Button>
      <UndoDialog preview={preview} onDone={onDone} />
    </>
  );
}

interface UndoProps {
  preview: Preview<typeof processApi.undo>;
  onDone: () => void;
}

/** Cancels held decisions after a preview. */
export function UndoDialog({ preview, onDone }: UndoProps) {
  const { t } = useLingui();
  const title = t`Undo decisions on hold`;
  return (
    <>
      {preview.problem}
      <BulkAct
        preview={preview}
        title={title}
        effect={(count) => t`Decisions to undo: ${count}`}
        confirm={<Trans>Undo</Trans>}
        done={t`Decisions undone`}
        onApplied={onDone}
      />
    </>
  );
}

/** Releases that have not begun, which any admission head can stop. */
export function ComingReleases() {
  const { t } = useLingui();
  const toast = useToast();
  const { data = [] } = useRead(processApi.releases, {});
  const stop = useAction(processApi.stopRelease);
  if (data.length === 0) return null;
  return (
    <Notice>
      {data.map(({ id, by, beginsAt, total }) => (
        <p key={id}>
          <Trans>
            {by} releases {total} decisions on {showMoment(beginsAt)}.
          </Trans>{' '}
          <Button
            isBusy={stop.isBusy}
            onClick={async () => {
              if (await stop.run({ id }))
                toast({ kind: 'success', title: t`Stopped. The decisions are still on hold.` });
            }}
          >
            <Trans>Stop</Trans>
          </Button>
        </p>
      ))}
      {stop.problem}
    </Notice>
  );
}
