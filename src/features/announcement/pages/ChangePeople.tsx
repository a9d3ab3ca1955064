import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { type Announcement, announcementApi } from '../contract/announcement.ts';
import { AudienceField, ReachWords } from './AudienceField.tsx';

interface Props {
  announcement: Announcement;
  onStarted: (runId: number | null) => void;
}

/** Changes the people of a published announcement, after a preview of who is added and removed. */
export function ChangePeople({ announcement, onStarted }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(announcementApi.changePeople);
  const { id, version, title, audience } = announcement;
  const answer = preview.shown?.answer;
  return (
    <>
      <FormOpener title={t`Change the people of ${title}`} label={<Trans>Change people…</Trans>} kind="plain">
        {(onClose) => (
          <RecordForm
            title={t`Change the people`}
            about={t`People who are added get it and a message. People who are removed no longer see it.`}
            endpoint={announcementApi.changePeople}
            initial={{ audience }}
            hiddenValues={{ id, version }}
            words={<Trans>Preview</Trans>}
            saved={null}
            onDone={(previewed, input) => preview.take(input, previewed)}
            onClose={onClose}
          >
            <AudienceField of={announcement} />
          </RecordForm>
        )}
      </FormOpener>
      <PreviewDialog
        preview={preview}
        title={t`Change the people?`}
        confirm={<Trans>Change</Trans>}
        details={
          answer && (
            <>
              <ReachWords reach={answer} />
              <ul>
                <li>
                  <Trans>Added:</Trans> <People {...answer.added} />
                </li>
                <li>
                  <Trans>Removed:</Trans> <People {...answer.removed} />
                </li>
              </ul>
            </>
          )
        }
        onApplied={(applied) => {
          toast({ kind: 'success', title: t`The people were changed.` });
          onStarted((applied as unknown as { runId: number | null }).runId);
        }}
      />
    </>
  );
}

const People = ({ guardians, staff }: { guardians: number; staff: number }) => (
  <>
    <Plural value={guardians} one="# guardian" other="# guardians" />, <Plural value={staff} other="# staff" />
  </>
);
