import { Trans, useLingui } from '@lingui/react/macro';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { CardButtons, RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { showDate } from '#kit/contract/day.ts';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { followUpApi, followUpFields } from '../contract/follow-up.ts';

/** Calls to the family about what it owes, with what it promised. */
export function FollowUps({ studentId }: { studentId: number }) {
  const { t } = useLingui();
  const calls = useRead(followUpApi.list, { id: studentId });
  const mayAdd = useMay(followUpApi.add);
  return (
    <RecordCard title={t`Calls and promises`} isWide>
      <QueryBoundary query={calls}>
        {({ rows, remindedOn }) => (
          <>
            {remindedOn && (
              <p>
                <Trans>Last reminder: {showDate(remindedOn)}</Trans>
              </p>
            )}
            {rows.length === 0 ? (
              <EmptyState message={<Trans>No call is noted yet.</Trans>} />
            ) : (
              <CardTable
                caption={<Trans>Calls</Trans>}
                heads={[t`Day`, t`Note`, t`Promised to pay on`, t`By`]}
                rows={rows.map(({ id, at, note, promisedOn, by }) => ({
                  key: id,
                  cells: [showDate(at.slice(0, 10)), note, promisedOn && showDate(promisedOn), by],
                }))}
              />
            )}
          </>
        )}
      </QueryBoundary>
      {mayAdd && (
        <CardButtons>
          <FormOpener kind="plain" title={t`Note a call`} label={<Trans>Note a call…</Trans>}>
            {(onClose) => (
              <RecordForm
                title={t`Note a call`}
                endpoint={followUpApi.add}
                initial={emptyValuesOf(followUpFields)}
                hiddenValues={{ id: studentId }}
                onClose={onClose}
              >
                <FieldControls fields={followUpFields} />
              </RecordForm>
            )}
          </FormOpener>
        </CardButtons>
      )}
    </RecordCard>
  );
}
