import { Trans } from '@lingui/react/macro';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { factsOf } from '#kit/browser/record/facts-of.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { omit } from '#kit/contract/field.ts';
import { personalFields, type StudentHead, studentRecordApi } from '../contract/record.ts';

/** The head shows the rest. */
const shown = omit(
  personalFields,
  'firstName',
  'middleName',
  'lastName',
  'alert',
  'alertLevel',
  'categoryId',
  'houseId',
);

/** Birth, blood group and community of a student. */
export function PersonalCard({ head }: { head: StudentHead }) {
  const personal = useRead(studentRecordApi.personal, { id: head.id });
  return (
    <RecordCard title={<Trans>Personal data</Trans>}>
      <QueryBoundary query={personal}>
        {({ saved, names }) => <Facts facts={factsOf(shown, saved, { names })} />}
      </QueryBoundary>
    </RecordCard>
  );
}
