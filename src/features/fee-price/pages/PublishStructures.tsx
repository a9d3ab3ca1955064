import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { emptyValuesOf } from '#kit/contract/field.ts';
import type { Selection } from '#kit/contract/list-view.ts';
import { publishFields, structureApi } from '../contract/structure.ts';

/** Publishes the selected drafts, or asks a second person for each. */
export function PublishStructures({ selection, clear }: { selection: Selection; clear: () => void }) {
  const { t } = useLingui();
  const preview = usePreview(structureApi.publishMany);
  const isAlone = preview.shown?.answer.status === 'Published';
  return (
    <>
      <FormOpener title={t`Publish prices`} label={<Trans>Publish…</Trans>} kind="plain">
        {(onClose) => (
          <RecordForm
            title={t`Publish prices`}
            about={t`Later versions need a first day. Leave it empty for first versions.`}
            endpoint={structureApi.publishMany}
            initial={emptyValuesOf(publishFields)}
            hiddenValues={{ selection }}
            words={<Trans>Preview</Trans>}
            saved={null}
            onDone={(previewed, input) => preview.take(input, previewed)}
            onClose={onClose}
          >
            <FieldControls fields={publishFields} />
          </RecordForm>
        )}
      </FormOpener>
      <BulkAct
        preview={preview}
        title={isAlone ? t`Publish these prices?` : t`Send these prices for approval?`}
        effect={(count) =>
          isAlone ? (
            <Plural
              value={count}
              one="# fee structure is published. It can’t be changed then."
              other="# fee structures are published. They can’t be changed then."
            />
          ) : (
            <Plural
              value={count}
              one="# request is created. A second person decides."
              other="# requests are created, one for each fee structure. A second person decides."
            />
          )
        }
        confirm={isAlone ? <Trans>Publish</Trans> : <Trans>Send for approval</Trans>}
        done={isAlone ? t`Published` : t`Waiting for approval`}
        onApplied={clear}
      />
    </>
  );
}
