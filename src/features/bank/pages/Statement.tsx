import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { FileImport } from '#kit/browser/import/FileImport.tsx';
import { RecordList, type RowOf } from '#kit/browser/list/RecordList.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { ChipKind } from '#kit/browser/ui/Chip.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { showMoney } from '#kit/contract/money.ts';
import { asideFields, lineApi, lineList, takeLineFields } from '../contract/line.ts';
import { statementFile, statementImportApi } from '../contract/statement.ts';
import { MatchLine } from './MatchLine.tsx';

type Line = RowOf<typeof lineList>;
type Open = { what: 'import' } | { what: 'match' | 'aside' | 'take'; line: Line };

const kinds: Record<string, ChipKind> = { Open: 'info', Matched: 'good', Differs: 'bad', 'Set aside': 'plain' };

/** The lines of bank statements: what each is of, and what nobody knows. */
export function Statement() {
  const { t } = useLingui();
  const toast = useToast();
  const [open, setOpen] = useState<Open>();
  const onClose = () => setOpen(undefined);
  const undoing = useAction(lineApi.undo);
  const matching = useAction(lineApi.matchAll);
  const importing = useMay(statementImportApi.import) ? () => setOpen({ what: 'import' }) : undefined;
  const matchAll = async () => {
    const answer = await matching.run({});
    if (answer) toast({ kind: 'success', title: t`${answer.matched} matched, ${answer.differs} differ.` });
  };
  return (
    <>
      {undoing.problem ?? matching.problem}
      <RecordList
        list={lineList}
        open={() => undefined}
        cells={{
          side: ({ side }) => translateOption(side),
          status: ({ status }) => <Status kind={kinds[status] ?? 'plain'}>{translateOption(status)}</Status>,
        }}
        more={
          importing && (
            <>
              <Menu.Item onClick={importing}>
                <Trans>Import a statement…</Trans>
              </Menu.Item>
              <Menu.Item onClick={() => void matchAll()}>
                <Trans>Match by reference again</Trans>
              </Menu.Item>
            </>
          )
        }
        actions={(line, from) => (
          <>
            {line.may.match && (
              <Menu.Item onClick={from(() => setOpen({ what: 'match', line }))}>
                <Trans>Match…</Trans>
              </Menu.Item>
            )}
            {line.may.take && (
              <Menu.Item onClick={from(() => setOpen({ what: 'take', line }))}>
                <Trans>Take without a child…</Trans>
              </Menu.Item>
            )}
            {line.may.match && (
              <Menu.Item onClick={from(() => setOpen({ what: 'aside', line }))}>
                <Trans>Set aside…</Trans>
              </Menu.Item>
            )}
            {line.may.undo && (
              <Menu.Item onClick={from(() => void undoing.run({ id: line.id, version: line.version }))}>
                <Trans>Open again</Trans>
              </Menu.Item>
            )}
          </>
        )}
        empty={{
          message: <Trans>No lines left to match.</Trans>,
          children: importing && <Button onClick={importing}>{t`Import a statement`}</Button>,
        }}
      />
      {open?.what === 'import' && (
        <FileImport
          title={t`Import a bank statement`}
          about={t`Left out: lines that were imported already, and withdrawals that are neither a refund nor a returned cheque.`}
          fields={statementFile}
          name="bank-statement"
          api={statementImportApi}
          hiddenValues={{}}
          onClose={onClose}
        />
      )}
      {open?.what === 'match' && <MatchLine line={open.line} onClose={onClose} />}
      {open?.what === 'aside' && (
        <RecordForm
          title={t`Set the line aside`}
          about={aboutLine(open.line)}
          endpoint={lineApi.setAside}
          initial={emptyValuesOf(asideFields)}
          hiddenValues={{ id: open.line.id, version: open.line.version }}
          words={t`Set aside`}
          saved={t`Set aside.`}
          onClose={onClose}
        >
          <FieldControls fields={asideFields} />
        </RecordForm>
      )}
      {open?.what === 'take' && (
        <RecordForm
          title={t`Take ${showMoney(open.line.amount ?? 0)} without a child`}
          about={t`${aboutLine(open.line)}. It gets a receipt today that counts from the bank’s day. Place it with a child under Unplaced money.`}
          endpoint={lineApi.take}
          initial={emptyValuesOf(takeLineFields)}
          hiddenValues={{ id: open.line.id, version: open.line.version }}
          words={t`Take it`}
          saved={(_, { paymentNo }) => t`Taken: ${paymentNo}`}
          onClose={onClose}
        >
          <FieldControls fields={takeLineFields} />
        </RecordForm>
      )}
    </>
  );
}

const aboutLine = ({ day, amount, narration }: Line) => [showDate(day), showMoney(amount ?? 0), narration].join(' · ');
