import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { typedOf } from '#kit/browser/record/versions.ts';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { emptyValuesOf } from '#kit/contract/field.ts';
import type { StudentHead } from '../contract/record.ts';
import { type Schooling, schoolingApi, schoolingFields } from '../contract/schooling.ts';

/** The schools of a student before this one. */
export function SchoolingCard({ head: { id, may } }: { head: StudentHead }) {
  const { t } = useLingui();
  const query = useRead(schoolingApi.schoolings, { id });
  const add = may.change && (
    <FormOpener title={t`Add previous school`} label={<Trans>Add</Trans>}>
      {(onClose) => (
        <RecordForm
          title={t`Add previous school`}
          words={<Trans>Add</Trans>}
          endpoint={schoolingApi.addSchooling}
          initial={emptyValuesOf(schoolingFields)}
          hiddenValues={{ id }}
          saved={t`Added.`}
          onClose={onClose}
        >
          <FieldControls fields={schoolingFields} />
        </RecordForm>
      )}
    </FormOpener>
  );
  return (
    <RecordCard
      isWide
      isEmpty={query.data?.schoolings.length === 0}
      title={<Trans>Previous schools</Trans>}
      actions={add}
    >
      <QueryBoundary query={query}>
        {({ schoolings }) =>
          schoolings.length === 0 ? (
            <EmptyState message={<Trans>No previous school yet.</Trans>} />
          ) : (
            <ListRows
              caption={t`Previous schools`}
              heads={[t`School`, t`City`, t`Board`, t`Classes`, t`Leaving certificate`]}
              rows={schoolings.map((schooling) => {
                const { school, city, board, fromClass, toClass, certificateNo, certificateOn } = schooling.saved;
                return {
                  key: schooling.id,
                  cells: [
                    school,
                    city,
                    board,
                    [fromClass, toClass].filter(Boolean).join('–'),
                    [certificateNo, certificateOn && showDate(certificateOn)].filter(Boolean).join(', '),
                  ],
                  actions: may.change ? <Acts id={id} schooling={schooling} /> : undefined,
                };
              })}
            />
          )
        }
      </QueryBoundary>
    </RecordCard>
  );
}

function Acts({ id, schooling }: { id: number; schooling: Schooling }) {
  const { t } = useLingui();
  const toast = useToast();
  const remove = useAction(schoolingApi.removeSchooling);
  const { school } = schooling.saved;
  const ofChild = { id, schooling: schooling.id, version: schooling.version };
  return (
    <>
      {remove.problem}
      <FormOpener title={t`Edit ${school}`} label={<Trans>Edit</Trans>}>
        {(onClose) => (
          <RecordForm
            title={t`Edit ${school}`}
            endpoint={schoolingApi.saveSchooling}
            initial={typedOf(schoolingFields, schooling.saved)}
            hiddenValues={ofChild}
            fields={schoolingFields}
            onClose={onClose}
          >
            <FieldControls fields={schoolingFields} />
          </RecordForm>
        )}
      </FormOpener>
      <ConfirmButton
        name={t`Remove ${school}`}
        label={<Trans>Remove</Trans>}
        question={<Trans>Remove {school} from the previous schools?</Trans>}
        confirm={<Trans>Remove</Trans>}
        onConfirm={async () => {
          if (await remove.run(ofChild)) toast({ kind: 'success', title: t`Removed.`, of: school });
        }}
      />
    </>
  );
}
