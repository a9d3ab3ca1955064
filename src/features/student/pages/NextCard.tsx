import { Trans } from '@lingui/react/macro';
import { useRead } from '#kit/browser/data/read.ts';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translate } from '#kit/browser/text.ts';
import { ActRow, ActRows } from '#kit/browser/ui/ActRow.tsx';
import { Overdue } from '#kit/browser/ui/Status.tsx';
import { type StudentHead, studentRecordApi } from '../contract/record.ts';

/** What is to be done next about a student, each with its page; no card where there is nothing, or it cannot be read. */
export function NextCard({ head: { id } }: { head: StudentHead }) {
  const { data } = useRead(studentRecordApi.next, { id });
  if (!data?.length) return null;
  return (
    <RecordCard title={<Trans>Next</Trans>}>
      <ActRows>
        {data.map(({ title, about, detail, isLate, to }) => {
          const words = translate(detail);
          return (
            <ActRow
              key={`${to} ${translate(title)} ${words}`}
              title={translate(title)}
              to={to}
              about={translate(about)}
              detail={isLate ? <Overdue>{words}</Overdue> : words}
              detailTitle={words}
            />
          );
        })}
      </ActRows>
    </RecordCard>
  );
}
