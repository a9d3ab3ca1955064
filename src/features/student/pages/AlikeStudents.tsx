import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { useRead } from '#kit/browser/data/read.ts';
import { TickField } from '#kit/browser/form/choices.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { useLater } from '#kit/browser/ui/use-later.ts';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { isRealDate, normalMobile } from '#kit/contract/fields.ts';
import { addStudentApi } from '../contract/add.ts';
import { genders } from '../contract/record.ts';

interface Props {
  open: (id: number) => void;
}

/** The students who may be the child that is typed: the user opens one, or says that it is another child. */
export function AlikeStudents({ open }: Props) {
  const { values } = useApiForm();
  const of = (name: string) => String(values[name] ?? '').trim();
  const mobile = normalMobile(of('guardianMobile'));
  const child = {
    firstName: of('firstName'),
    lastName: of('lastName'),
    gender: genders.find((word) => word === of('gender')) ?? '',
    birthDate: of('birthDate'),
    grNo: of('grNo'),
    sectionId: of('sectionId'),
    branchId: of('branchId'),
    mobile: /^[0-9]{10}$/.test(mobile) ? mobile : '',
  } as const;
  const isNamed = child.firstName !== '' && (child.lastName !== '' || values.hasOneName === true);
  const isWhole = isNamed && isRealDate(child.birthDate);
  const asked = useLater(isWhole ? JSON.stringify(child) : '');
  return isWhole && asked !== '' ? <Found child={JSON.parse(asked) as typeof child} open={open} /> : null;
}

type Child = Parameters<typeof useRead<typeof addStudentApi.alike>>[1];

function Found({ child, open }: Props & { child: Child }) {
  const { values, change } = useApiForm();
  const { data } = useRead(addStudentApi.alike, child);
  const asked = (data?.students ?? []).flatMap(({ id, isAsked }) => (isAsked ? [id] : []));
  const seen = (values.seenIds ?? []) as number[];
  // The answer was given for other students.
  const isStale = values.isOtherChild === true && asked.some((id) => !seen.includes(id));
  useEffect(() => {
    if (isStale) change('isOtherChild', false);
  }, [isStale, change]);
  if (!data) return null;
  return (
    <>
      {data.students.map((student) => (
        <Student key={student.id} student={student} open={open} />
      ))}
      {data.isElsewhere && (
        <Notice role="status">
          <Trans>A child of this name and birth date is at another branch. An Admin can check.</Trans>
        </Notice>
      )}
      {asked.length > 0 && <TickField name="isOtherChild" onChange={() => change('seenIds', asked)} />}
    </>
  );
}

type Alike = OutputOf<typeof addStudentApi.alike>['students'][number];

function Student({ student, open }: Props & { student: Alike }) {
  const { t } = useLingui();
  const { id, name, grNo, place, birthDate, leftOn, adult } = student;
  const day = showDate(leftOn);
  const born = t`born on ${showDate(birthDate)}`;
  const facts = [place, t`GR ${grNo}`, born, adult].filter(Boolean).join(' · ');
  return (
    <Notice as="div" role="status">
      {leftOn ? (
        <Trans>
          {name}, GR {grNo}, was here before and left on {day}.
        </Trans>
      ) : (
        <>
          <Trans>This may be {name}.</Trans> {facts}
        </>
      )}{' '}
      <Button kind="link" onClick={() => open(id)}>
        {leftOn ? <Trans>Open the record to re-admit</Trans> : <Trans>Open the record</Trans>}
      </Button>
    </Notice>
  );
}
