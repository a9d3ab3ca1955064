import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FileImport } from '#kit/browser/import/FileImport.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Row, Stack, Table, Text } from '#kit/browser/ui/Layout.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { ScrollFrame } from '#kit/browser/ui/ScrollFrame.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { carryApi, openingFile, openingImportApi } from '../contract/carry.ts';

/** What HR does with the balances of all: opening balances by file, and carrying over to the next year. */
export function LeaveActs() {
  const { t } = useLingui();
  const [isImporting, setImporting] = useState(false);
  return (
    <Row gap="8 12" align="center" wrap mb={12}>
      <Button onClick={() => setImporting(true)}>
        <Trans>Import opening balances…</Trans>
      </Button>
      <CarryOver />
      {isImporting && (
        <FileImport
          title={t`Import opening balances of leave`}
          about={t`A row for each person and leave type: the days at the start of this academic year.`}
          fields={openingFile}
          name="leave-balances"
          api={openingImportApi}
          hiddenValues={{}}
          onClose={() => setImporting(false)}
        />
      )}
    </Row>
  );
}

function CarryOver() {
  const { t } = useLingui();
  const toast = useToast();
  const years = useRead(yearMaster.api.options, {});
  const preview = usePreview(carryApi.run);
  const [chosen, setChosen] = useState('');
  const entries = years.data?.filter(({ isActive }) => isActive) ?? [];
  const answer = preview.shown?.answer;
  const [carried, lapsed, to] = [answer?.carried ?? '0', answer?.lapsed ?? '0', answer?.to ?? ''];
  return (
    <>
      <select
        className="box"
        aria-label={t`Carry over from`}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
      >
        <option value="">{t`Carry over from…`}</option>
        {entries.map(({ id, name }) => (
          <option key={id} value={String(id)}>
            {name}
          </option>
        ))}
      </select>
      {chosen !== '' && (
        <Button isBusy={preview.isBusy} onClick={() => void preview.show({ academicYearId: Number(chosen) })}>
          <Trans>Carry over…</Trans>
        </Button>
      )}
      {!preview.shown && preview.problem}
      <PreviewDialog
        preview={preview}
        title={t`Carry leave over to ${to}?`}
        confirm={answer && answer.changes > 0 && <Trans>Carry over</Trans>}
        details={
          answer && (
            <Stack gap={8}>
              <Text>
                {answer.changes === 0
                  ? t`The next year has all of it already.`
                  : t`${plural(answer.changes, { one: '# balance of the next year changes.', other: '# balances of the next year change.' })}`}
              </Text>
              {answer.rows.length > 0 && (
                <ScrollFrame label={t`Leave to carry over`}>
                  <Table>
                    <thead>
                      <tr>
                        {[t`Name`, t`Leave type`, t`Left`, t`Carried`, t`Lapses`].map((head) => (
                          <th key={head} scope="col">
                            {head}
                          </th>
                        ))}
                      </tr>
                    </thead>
                    <tbody>
                      {answer.rows.map(({ name, type, left, carried: own, lapsed: lost }, index) => (
                        // biome-ignore lint/suspicious/noArrayIndexKey: two people may have one name.
                        <tr key={index}>
                          <td>{name}</td>
                          <td>{type}</td>
                          <td>{left}</td>
                          <td>{own}</td>
                          <td>{lost}</td>
                        </tr>
                      ))}
                    </tbody>
                  </Table>
                </ScrollFrame>
              )}
            </Stack>
          )
        }
        onApplied={() => toast({ kind: 'success', title: t`Carried over to ${to}.` })}
      >
        <Trans>
          {carried} days are carried over, {lapsed} days end with the year. It can be done again while the year is open.
        </Trans>
      </PreviewDialog>
    </>
  );
}
