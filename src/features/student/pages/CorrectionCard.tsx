import { Trans, useLingui } from '@lingui/react/macro';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FormOpener } from '#kit/browser/form/RecordForm.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showDate } from '#kit/contract/day.ts';
import { type Correction, correctionApi, registerFields } from '../contract/correction.ts';
import type { StudentHead } from '../contract/record.ts';
import { CorrectEntry } from './CorrectEntry.tsx';

const stateKinds = { Asked: 'warn', Done: 'good', Rejected: 'bad', Withdrawn: 'plain' } as const;

/** The corrections of a student's register entries. */
export function CorrectionCard({ head }: { head: StudentHead }) {
  const { t } = useLingui();
  const known = useRead(correctionApi.list, { id: head.id });
  return (
    <RecordCard
      isWide
      title={<Trans>Register entries</Trans>}
      actions={
        <FormOpener title={t`Correct a register entry of ${head.name}`} label={<Trans>Correct…</Trans>}>
          {(onClose) => <CorrectEntry head={head} onClose={onClose} />}
        </FormOpener>
      }
    >
      <QueryBoundary query={known}>
        {({ corrections, closedOn, openUntil }) => {
          const day = showDate(closedOn || openUntil);
          return (
            <>
              <p className="soft">
                {closedOn ? (
                  <Trans>Closed since {day}: entries change by a correction.</Trans>
                ) : (
                  <Trans>Open until {day}: edit entries under Personal data.</Trans>
                )}
              </p>
              {corrections.length > 0 && (
                <ListRows
                  caption={t`Corrections`}
                  heads={[t`Entry`, t`Before`, t`Corrected`, t`Why`, t`State`]}
                  rows={corrections.map((one) => ({
                    key: one.id,
                    cells: [
                      translate(registerFields[one.field].label),
                      one.oldValue || '–',
                      one.newValue || '–',
                      <Why key="why" studentId={head.id} one={one} />,
                      <Status key="state" kind={stateKinds[one.status]}>
                        {translateOption(one.status)}
                      </Status>,
                    ],
                  }))}
                />
              )}
            </>
          );
        }}
      </QueryBoundary>
    </RecordCard>
  );
}

function Why({ studentId, one }: { studentId: number; one: Correction }) {
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  const { orderNo, authority, askedBy, doneBy } = one;
  const [orderDay, asked, done] = [one.orderOn, one.askedOn, one.doneOn].map((day) => day && showDate(day));
  return (
    <>
      {one.reason}{' '}
      <span className="soft">
        {orderNo && (
          <Trans>
            Order {orderNo} of {orderDay}, {authority}.
          </Trans>
        )}{' '}
        {done ? (
          <Trans>
            {doneBy}, {done}
          </Trans>
        ) : (
          <Trans>
            Asked by {askedBy} on {asked}
          </Trans>
        )}
      </span>{' '}
      {one.hasPaper && (
        <Button
          kind="quiet"
          onClick={() =>
            void attempt(() =>
              download(correctionApi.file, { id: studentId, correction: one.id }, `correction-${one.id}`),
            )
          }
        >
          <Trans>Paper</Trans>
        </Button>
      )}
      {problem}
    </>
  );
}
