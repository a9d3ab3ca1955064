import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { ChoicesWithReason, useChoicesWithReason } from '#kit/browser/form/ChoicesWithReason.tsx';
import { ExportMenu } from '#kit/browser/list/ExportMenu.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import { type ExportColumn, type ExportedColumn, exportColumns, exportNames, manyApi } from '../contract/many.ts';

const usual: readonly ExportColumn[] = ['grNo', 'name', 'section', 'rollNo', 'gender', 'guardian', 'mobile'];

const asImport = 'import';

/** Exports chosen fields of the selected students; identifiers, religion, caste and address need a reason. */
export function ExportFields({ selection }: { selection: Selection }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const choices = [
    { key: asImport, label: t`For an import: its columns instead of those below`, needsReason: true },
    ...exportNames.map((name) => {
      const { label, needsReason = false }: ExportedColumn = exportColumns[name];
      return { key: name, label: translate(label), needsReason };
    }),
  ];
  const of = useChoicesWithReason(choices, usual);
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Export chosen columns…</Trans>
      </Button>
      {isOpen && (
        <SideDialog title={t`Export chosen columns`} onClose={() => setOpen(false)}>
          {(close) => (
            <>
              <ChoicesWithReason of={of} />
              {problem}
              <DialogButtons>
                <Button onClick={close}>
                  <Trans>Close</Trans>
                </Button>
                <ExportMenu
                  words={<Trans>Export</Trans>}
                  onExport={(as) =>
                    void attempt(() =>
                      download(
                        manyApi.exportFields,
                        {
                          selection,
                          as,
                          columns: exportNames.filter((name) => of.chosen.includes(name)),
                          isForImport: of.chosen.includes(asImport),
                          reason: of.reason,
                        },
                        `students.${as}`,
                      ),
                    )
                  }
                />
              </DialogButtons>
            </>
          )}
        </SideDialog>
      )}
    </>
  );
}
