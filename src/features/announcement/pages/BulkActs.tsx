import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import { manyApi } from '../contract/many.ts';

interface Props {
  selection: Selection;
  clear: () => void;
}

/** Withdraws selected announcements, and reminds their readers. */
export function BulkActs({ selection, clear }: Props) {
  const { t } = useLingui();
  const withdraw = usePreview(manyApi.withdrawMany);
  const remind = usePreview(manyApi.remindMany);
  return (
    <>
      <Button isBusy={remind.isBusy} onClick={() => void remind.show({ selection })}>
        <Trans>Remind readers…</Trans>
      </Button>
      <FormOpener title={t`Withdraw announcements`} label={<Trans>Withdraw…</Trans>} kind="plain">
        {(onClose) => (
          <RecordForm
            title={t`Withdraw announcements`}
            about={t`They are removed from the school page at once. Messages that were sent can’t be undone.`}
            endpoint={manyApi.withdrawMany}
            initial={{ reason: '' }}
            hiddenValues={{ selection }}
            words={<Trans>Preview</Trans>}
            saved={null}
            onDone={(previewed, input) => withdraw.take(input, previewed)}
            onClose={onClose}
          >
            <TextField name="reason" long />
          </RecordForm>
        )}
      </FormOpener>
      {!remind.shown && remind.problem}
      <BulkAct
        preview={remind}
        title={t`Remind readers?`}
        effect={(count) => (
          <Plural
            value={count}
            one="The readers of # announcement are reminded."
            other="The readers of # announcements are reminded."
          />
        )}
        confirm={<Trans>Remind</Trans>}
        done={t`Announcements reminded of`}
        onApplied={clear}
      />
      <BulkAct
        preview={withdraw}
        title={t`Withdraw announcements?`}
        effect={(count) => (
          <Plural value={count} one="# announcement is withdrawn." other="# announcements are withdrawn." />
        )}
        confirm={<Trans>Withdraw</Trans>}
        done={t`Announcements withdrawn`}
        onApplied={clear}
      />
    </>
  );
}
