import { Trans, useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { Row, Rows } from '#kit/browser/form/choices.tsx';
import { ExportMenu } from '#kit/browser/list/ExportMenu.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import { type ExportColumn, exportColumns, exportNames, manyApi, sensitive } from '../contract/many.ts';

const usual: readonly ExportColumn[] = ['grNo', 'name', 'section', 'rollNo', 'gender', 'guardian', 'mobile'];

/** Exports chosen fields of the selected students; identifiers, religion, caste and address need a reason. */
export function ExportFields({ selection }: { selection: Selection }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const [columns, setColumns] = useState<readonly ExportColumn[]>(usual);
  const [reason, setReason] = useState('');
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  const id = useId();
  const needsReason = columns.some((name) => sensitive.includes(name));
  const given = needsReason ? reason : '';
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Choose fields…</Trans>
      </Button>
      {isOpen && (
        <SideDialog title={t`Export chosen fields`} onClose={() => setOpen(false)}>
          {(close) => (
            <>
              <Rows>
                {exportNames.map((name) => (
                  <Row
                    key={name}
                    type="checkbox"
                    id={`${id}-${name}`}
                    label={translate(exportColumns[name])}
                    hint={sensitive.includes(name) ? t`Needs a reason` : undefined}
                    checked={columns.includes(name)}
                    onChange={(isOn) =>
                      setColumns(isOn ? [...columns, name] : columns.filter((other) => other !== name))
                    }
                  />
                ))}
              </Rows>
              {needsReason && (
                <p>
                  <label htmlFor={`${id}-reason`}>
                    <Trans>Reason</Trans>
                  </label>
                  <textarea
                    id={`${id}-reason`}
                    maxLength={300}
                    value={reason}
                    onChange={(event) => setReason(event.currentTarget.value)}
                  />
                  <span className="soft">
                    <Trans>The audit log keeps it.</Trans>
                  </span>
                </p>
              )}
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
                        { selection, as, columns: [...columns], reason: given },
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
