import { Trans, useLingui } from '@lingui/react/macro';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { Initials } from '#kit/browser/ui/Initials.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { studentList } from '../contract/list.ts';
import type { StudentHead } from '../contract/record.ts';
import { statusKinds } from './status.ts';

/** /school-erp/student/student-list: the students whom the user may see. */
export function StudentListPage() {
  const { t } = useLingui();
  return (
    <>
      <PageHead title={t`Student List`} />
      <RecordList
        list={studentList}
        open={({ id }) => ({ to: '/school-erp/student/student-list/$studentID', params: { studentID: String(id) } })}
        lead={({ name }) => <Initials name={name} />}
        cells={{
          status: ({ status }) => (
            <Chip kind={statusKinds[status as StudentHead['status']]}>{translateOption(status)}</Chip>
          ),
        }}
        empty={{ message: <Trans>No students yet.</Trans> }}
      />
    </>
  );
}
