import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useWorkingYear } from '#features/calendar/ui/use-working-year.ts';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { Box } from '#kit/browser/ui/Layout.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { showMoney } from '#kit/contract/money.ts';
import { copyFields, fleetApi } from '../contract/fleet.ts';

/** Opens the form that copies the slab prices of a year to a later one. */
export function CopyPricesButton() {
  const [isOpen, setOpen] = useState(false);
  if (!useMay(fleetApi.copySlabPrices)) return null;
  return (
    <Box mb={12}>
      <Button onClick={() => setOpen(true)}>
        <Trans>Copy prices to another year…</Trans>
      </Button>
      {isOpen && <CopyPrices onClose={() => setOpen(false)} />}
    </Box>
  );
}

function CopyPrices({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const year = useWorkingYear();
  const preview = usePreview(fleetApi.copySlabPrices);
  const rows = preview.shown?.answer.rows ?? [];
  const made = rows.filter(({ isKept }) => !isKept).length;
  const title = t`Copy slab prices to another year`;
  return (
    <SideDialog
      title={title}
      about={t`Slabs that have a price in the later year keep it. Inactive slabs and prices are left out.`}
      onClose={onClose}
    >
      {(close) => (
        <>
          <ApiForm
            endpoint={fleetApi.copySlabPrices}
            label={title}
            initial={{ ...emptyValuesOf(copyFields), fromYearId: year?.id ?? null, unit: '10' }}
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
                <CardTable
                  caption={<Trans>Prices a month, both ways</Trans>}
                  heads={[t`Fee slab`, t`Before`, t`After`]}
                  rows={rows.map(({ id, name, before, after, isKept }) => ({
                    key: id,
                    cells: [
                      name,
                      showMoney(before),
                      isKept ? (
                        <span key="after" className="soft">
                          <Trans>{showMoney(after)}, kept</Trans>
                        </span>
                      ) : (
                        <strong key="after">{showMoney(after)}</strong>
                      ),
                    ],
                  }))}
                />
              )
            }
            onApplied={() => {
              close();
              toast({ kind: 'success', title: t`Slab prices copied.` });
            }}
          >
            <Plural value={made} _0="No price is copied." one="# price is copied." other="# prices are copied." />{' '}
            {rows.length > made && (
              <Plural
                value={rows.length - made}
                one="# slab has a price in that year, which is kept."
                other="# slabs have prices in that year, which are kept."
              />
            )}
            {rows.length === 0 && <Trans>The first year has no slab prices.</Trans>}
          </PreviewDialog>
        </>
      )}
    </SideDialog>
  );
}
