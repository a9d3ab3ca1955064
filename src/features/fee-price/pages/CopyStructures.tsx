import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useWorkingYear } from '#features/calendar/ui/use-working-year.ts';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { AmountTable } from '#kit/browser/ui/AmountTable.tsx';
import { Text } from '#kit/browser/ui/Layout.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { showMoney } from '#kit/contract/money.ts';
import { copyFields, structureApi } from '../contract/structure.ts';

/** Copies the published prices of a year as drafts of a later one, after a preview of the new amounts. */
export function CopyStructures({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const year = useWorkingYear();
  const preview = usePreview(structureApi.copy);
  const { rows = [], replaced = [], alreadyThere = 0 } = preview.shown?.answer ?? {};
  return (
    <SideDialog
      title={t`Copy prices to another year`}
      about={t`Published prices become drafts of the later year, in place of drafts that were copied and never edited. Grades with other prices there are left out.`}
      onClose={onClose}
    >
      {(close) => (
        <>
          <ApiForm
            endpoint={structureApi.copy}
            label={t`Copy prices to another year`}
            initial={{ ...emptyValuesOf(copyFields), fromYearId: year?.id ?? null, unit: '1' }}
            onDone={(answer, input) => preview.take(input, answer)}
            buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />}
          >
            <FieldControls fields={copyFields} />
          </ApiForm>
          <PreviewDialog
            preview={preview}
            title={t`Copy these prices?`}
            confirm={<Trans>Copy</Trans>}
            details={
              rows.length > 0 && (
                <AmountTable
                  caption={<Trans>Amounts of a year</Trans>}
                  heads={[t`Fee structure`, t`Before`, t`After`]}
                  amounts={[t`Before`, t`After`]}
                  rows={rows.map(({ id, name, before, after }) => ({
                    key: id,
                    cells: [
                      name,
                      <Text as="span" breaks="never" key="before">
                        {showMoney(before)}
                      </Text>,
                      <Text as="strong" breaks="never" key="after">
                        {showMoney(after)}
                      </Text>,
                    ],
                  }))}
                />
              )
            }
            onApplied={() => {
              close();
              toast({ kind: 'success', title: t`The drafts are ready to be checked.` });
            }}
          >
            <p>
              <Plural value={rows.length} one="# draft will be created." other="# drafts will be created." />{' '}
              {alreadyThere > 0 && (
                <Plural
                  value={alreadyThere}
                  one="# structure has prices in that year already."
                  other="# structures have prices in that year already."
                />
              )}
            </p>
            {replaced.length > 0 && (
              <p>
                <Trans>They replace drafts that were copied and never edited: {replaced.join('; ')}</Trans>
              </p>
            )}
          </PreviewDialog>
        </>
      )}
    </SideDialog>
  );
}
