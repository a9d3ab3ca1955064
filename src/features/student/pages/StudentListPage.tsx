import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { useOtherYear } from '#features/calendar/ui/use-working-year.ts';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Initials } from '#kit/browser/ui/Initials.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { everyone } from '#kit/contract/record-list.ts';
import { addStudentApi } from '../contract/add.ts';
import { studentList } from '../contract/list.ts';
import { manyApi } from '../contract/many.ts';
import { photoApi } from '../contract/photo.ts';
import type { StudentHead } from '../contract/record.ts';
import { resultList } from '../contract/result.ts';
import { unexplainedApi } from '../contract/unexplained.ts';
import { statusKinds } from '../ui/status.ts';
import { AddStudent } from './AddStudent.tsx';
import { ChangeStudents } from './ChangeStudents.tsx';
import { CompareStudent } from './CompareStudent.tsx';
import { ExportFields } from './ExportFields.tsx';
import { OfOtherYears } from './OfOtherYears.tsx';
import { ClassListDialog, StudentCards } from './PrintStudents.tsx';

const ImportStudents = lazy(async () => ({ default: (await import('./ImportStudents.tsx')).ImportStudents }));

const IssueMany = lazy(async () => ({ default: (await import('./IssueMany.tsx')).IssueMany }));

const PhotoRound = lazy(async () => ({ default: (await import('./PhotoRound.tsx')).PhotoRound }));

/** /school-erp/student/student-list: the students whom the user may see. */
export function StudentListPage() {
  const { t } = useLingui();
  const { address, go } = useListAddress();
  const year = useOtherYear();
  // The filter of the year may be taken off.
  const yearId = address.yearId ?? (year ? String(year.id) : '');
  const isOfYear = year !== undefined && yearId === String(year.id);
  const [opened, setOpen] = useState<string>();
  const [compared, setCompared] = useState<{ id: number; name: string }>();
  const isKeeper = useMay(addStudentApi.create);
  const mayPrint = useMay(manyApi.printCards);
  const mayList = useMay(manyApi.printClassList);
  const mayTakePhotos = useMay(photoApi.savePhoto);
  const mayExport = useMay(manyApi.exportFields);
  const mayDecide = useMay(resultList.api.list);
  const mayEndYear = useMay(unexplainedApi.sum);
  // Search opens the page with an act in its address.
  const open = opened ?? address.act;
  const close = () => {
    setOpen(undefined);
    if (address.act) go({ ...address, act: '' });
  };
  const add = isKeeper ? () => setOpen('add') : undefined;
  return (
    <>
      <PageHead title={t`Student List`} />
      <RecordList
        list={studentList}
        {...(year && { usual: { yearId: String(year.id) } })}
        notice={<OfOtherYears yearId={yearId} />}
        {...(isOfYear && { of: `${year.name}-as-on-${year.day}` })}
        open={({ id }) => ({ to: '/school-erp/student/student-list/$studentID', params: { studentID: String(id) } })}
        lead={({ name, picture }) => <Initials name={name} picture={picture} />}
        cells={{
          status: ({ status }) => (
            <Status kind={statusKinds[status as StudentHead['status']]}>{translateOption(status)}</Status>
          ),
        }}
        onAdd={add}
        actions={
          isKeeper
            ? ({ id, name }) => (
                <Menu.Item onClick={() => setCompared({ id, name })}>
                  <Trans>Compare…</Trans>
                </Menu.Item>
              )
            : undefined
        }
        more={
          (mayList || mayDecide) && (
            <>
              {isKeeper && (
                <Menu.Item onClick={() => setOpen('import')}>
                  <Trans>Import…</Trans>
                </Menu.Item>
              )}
              {mayTakePhotos && (
                <Menu.Item onClick={() => setOpen('photos')}>
                  <Trans>Photos of a section…</Trans>
                </Menu.Item>
              )}
              {mayList && (
                <Menu.Item onClick={() => setOpen('class-list')}>
                  <Trans>Class list with photos…</Trans>
                </Menu.Item>
              )}
              {mayExport && (
                <Menu.Item renderRoot={(props) => <PageLink to="/school-erp/student/certificate-list" {...props} />}>
                  <Trans>Certificates</Trans>
                </Menu.Item>
              )}
              {mayDecide && (
                <Menu.Item renderRoot={(props) => <PageLink to="/school-erp/student/result-list" {...props} />}>
                  <Trans>Results of the year</Trans>
                </Menu.Item>
              )}
              {mayEndYear && (
                <Menu.Item renderRoot={(props) => <PageLink to="/school-erp/academic/year-end" {...props} />}>
                  <Trans>Close the year</Trans>
                </Menu.Item>
              )}
            </>
          )
        }
        empty={
          add
            ? {
                message: <Trans>Import a sheet of students, or add the first one.</Trans>,
                children: (
                  <>
                    <Button kind="main" onClick={add}>
                      <Trans>Add student</Trans>
                    </Button>{' '}
                    <Button onClick={() => setOpen('import')}>
                      <Trans>Import…</Trans>
                    </Button>
                  </>
                ),
              }
            : { message: <Trans>No students yet.</Trans> }
        }
        bulk={
          mayPrint
            ? (selection, clear) => (
                <>
                  {isKeeper && <ChangeStudents selection={selection} clear={clear} />}
                  <StudentCards selection={selection} />
                  {mayExport && <ExportFields selection={selection} />}
                  {mayExport && (
                    <Suspense fallback={null}>
                      <IssueMany selection={selection} clear={clear} />
                    </Suspense>
                  )}
                </>
              )
            : undefined
        }
      />
      {compared && <CompareStudent {...compared} onClose={() => setCompared(undefined)} />}
      {open === 'add' && isKeeper && <AddStudent onClose={close} />}
      {open === 'import' && isKeeper && (
        <Suspense fallback={null}>
          <ImportStudents onClose={close} />
        </Suspense>
      )}
      {open === 'photos' && mayTakePhotos && (
        <Suspense fallback={null}>
          <PhotoRound section={address.sectionId ?? ''} onClose={close} />
        </Suspense>
      )}
      {open === 'class-list' && mayList && (
        <ClassListDialog
          section={address.sectionId ?? ''}
          grade={address.gradeId ?? ''}
          year={yearId === everyone ? '' : yearId}
          onClose={close}
        />
      )}
    </>
  );
}
