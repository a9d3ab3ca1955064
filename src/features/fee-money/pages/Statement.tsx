import { Trans, useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { AmountTable } from '#kit/browser/ui/AmountTable.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DateInput } from '#kit/browser/ui/DateInput.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Row, Text } from '#kit/browser/ui/Layout.tsx';
import { showDate } from '#kit/contract/day.ts';
import { isRealDate } from '#kit/contract/fields.ts';
import { showMoney } from '#kit/contract/money.ts';
import { accountApi } from '../contract/account.ts';
import { HeldCheques } from './HeldCheques.tsx';
import styles from './Statement.module.css';

/** A student's account as a running ledger as of a day. */
export function Statement({ studentId }: { studentId: number }) {
  const { t } = useLingui();
  const [on, setOn] = useState('');
  const statement = useRead(accountApi.statement, { id: studentId, on });
  const dayId = useId();
  const download = useDownload();
  const { attempt, isBusy, problem } = useAttempt();
  const save = (until: string) =>
    attempt(() => download(accountApi.statementFile, { id: studentId, on: until }, `statement-${until}.pdf`));
  return (
    <RecordCard title={t`Statement`} isWide>
      {problem}
      <QueryBoundary query={statement}>
        {(found) => (
          <>
            <Row gap={8} align="center" mb={12} noPrint className={styles.on}>
              <Text as="label" breaks="never" htmlFor={dayId}>
                <Trans>As of</Trans>
              </Text>
              <DateInput id={dayId} value={found.on} onChange={(day) => isRealDate(day) && setOn(day)} />
              <Button kind="quiet" isBusy={isBusy} onClick={() => void save(found.on)}>
                <Trans>PDF</Trans>
              </Button>
            </Row>
            {found.rows.length === 0 ? (
              <EmptyState message={<Trans>Nothing is charged or paid until this day.</Trans>} />
            ) : (
              <AmountTable
                caption={<Trans>Entries until {showDate(found.on)}</Trans>}
                heads={[t`Day`, t`Particulars`, t`Debit`, t`Credit`, t`Balance`]}
                amounts={[t`Debit`, t`Credit`, t`Balance`]}
                rows={found.rows.map((row) => ({
                  key: row.id,
                  cells: [
                    showDate(row.day),
                    [row.what, row.isReversal ? t`Reversed: ${translateOption(row.kind)}` : translateOption(row.kind)]
                      .filter(Boolean)
                      .join(' · '),
                    row.debit > 0 ? showMoney(row.debit) : '',
                    row.credit > 0 ? showMoney(row.credit) : '',
                    showMoney(row.balance),
                  ],
                }))}
              />
            )}
            <p>
              <strong>
                <Trans>
                  Balance on {showDate(found.on)}: {showMoney(found.balance)}
                </Trans>
              </strong>
            </p>
            {found.later.length > 0 && (
              <>
                <h3>
                  <Trans>Not yet due</Trans>
                </h3>
                <AmountTable
                  caption={<Trans>Not yet due</Trans>}
                  heads={[t`Due on`, t`For`, t`Amount`]}
                  amounts={[t`Amount`]}
                  rows={found.later.map(({ dueOn, what, amount }) => ({
                    key: dueOn,
                    cells: [showDate(dueOn), what, showMoney(amount)],
                  }))}
                />
              </>
            )}
            <HeldCheques cheques={found.heldCheques} />
          </>
        )}
      </QueryBoundary>
    </RecordCard>
  );
}
