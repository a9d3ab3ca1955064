import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Initials } from '#kit/browser/ui/Initials.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { addStudentApi } from '../contract/add.ts';
import { studentList } from '../contract/list.ts';
import type { StudentHead } from '../contract/record.ts';
import { AddStudent } from './AddStudent.tsx';
import { statusKinds } from './status.ts';

/** /school-erp/student/student-list: the students whom the user may see. */
export function StudentListPage() {
  const { t } = useLingui();
  const [isAdding, setAdding] = useState(false);
  const add = useMay(addStudentApi.create) ? () => setAdding(true) : undefined;
  return (
    <>
      <PageHead title={t`Student List`} />
      <RecordList
        list={studentList}
        open={({ id }) => ({ to: '/school-erp/student/student-list/$studentID', params: { studentID: String(id) } })}
        lead={({ name }) => <Initials name={name} />}
        cells={{
          status: ({ status }) => (
            <Status kind={statusKinds[status as StudentHead['status']]}>{translateOption(status)}</Status>
          ),
        }}
        onAdd={add}
        empty={
          add
            ? {
                message: <Trans>Add the first student.</Trans>,
                children: (
                  <Button kind="main" onClick={add}>
                    <Trans>Add student</Trans>
                  </Button>
                ),
              }
            : { message: <Trans>No students yet.</Trans> }
        }
      />
      {isAdding && <AddStudent onClose={() => setAdding(false)} />}
    </>
  );
}
