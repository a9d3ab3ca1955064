import { Trans, useLingui } from '@lingui/react/macro';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { factsOf } from '#kit/browser/record/facts-of.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { identityFields, type StudentHead, studentRecordApi } from '../contract/record.ts';

/** The numbers by which the school and the state know a student. */
export function IdentityCard({ head }: { head: StudentHead }) {
  const { t } = useLingui();
  const identity = useRead(studentRecordApi.identity, { id: head.id });
  return (
    <RecordCard title={<Trans>Identity</Trans>}>
      <QueryBoundary query={identity}>
        {({ grNo, saved }) => (
          <Facts facts={[{ label: t`GR number`, value: grNo }, ...factsOf(identityFields, saved)]} />
        )}
      </QueryBoundary>
    </RecordCard>
  );
}
