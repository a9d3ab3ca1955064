import { Trans } from '@lingui/react/macro';
import { LastName } from '#features/school/ui/LastName.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { TickField } from '#kit/browser/form/choices.tsx';
import { FieldControl, FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { useLater } from '#kit/browser/ui/use-later.ts';
import { showDate } from '#kit/contract/day.ts';
import { inquiryApi, type SimilarInquiry } from '../contract/inquiry.ts';
import { childFields, inquiryRecord, officeFields, parentFields } from '../contract/record.ts';
import styles from './InquiryFields.module.css';
import { InquiryStateChip } from './InquiryState.tsx';

const { parents, child, office } = inquiryRecord.groups;

/** The fields of an inquiry, in the order of a phone call: who calls, for which child, for which grade. */
export function InquiryFields() {
  const known = useKnown();
  return (
    <>
      <h3 className={styles.part}>{translate(parents.title)}</h3>
      <FieldControls fields={parentFields} />
      <h3 className={styles.part}>{translate(child.title)}</h3>
      <FieldControls
        fields={childFields}
        instead={{ lastName: <LastName />, ageReason: <AgeReason age={known?.age} /> }}
      />
      <h3 className={styles.part}>{translate(office.title)}</h3>
      <FieldControls fields={officeFields} />
    </>
  );
}

/** What the school knows of the family and of the child's age, a moment after typing. */
export function useKnown() {
  const { values } = useApiForm();
  const asked = ['fatherMobile', 'motherMobile', 'firstName', 'lastName', 'birthDate', 'academicYearId', 'gradeId'];
  const later = useLater(JSON.stringify(Object.fromEntries(asked.map((name) => [name, values[name] ?? '']))));
  const input = JSON.parse(later) as Record<string, string>;
  const { data } = useRead(inquiryApi.check, input as never);
  return data;
}

type Known = ReturnType<typeof useKnown>;

/** Other inquiries of the same parents, and a parent who works here. */
export function KnownFamily({ known }: { known: Known }) {
  const { values, change } = useApiForm();
  const { parents, worksHere = false } = known ?? {};
  const others = (known?.similar ?? []).filter(({ isSameChild }) => !isSameChild);
  if (others.length === 0 && !worksHere) return null;
  const use = () => {
    for (const [name, value] of Object.entries(parents ?? {})) if (value && !values[name]) change(name, value);
  };
  return (
    <Notice as="div" role="status">
      {others.length > 0 && (
        <>
          <p>
            <Trans>Family already on record:</Trans>
          </p>
          <Similar rows={others} />
          {parents && (
            <Button onClick={use}>
              <Trans>Use these parents</Trans>
            </Button>
          )}
        </>
      )}
      {worksHere && (
        <p>
          <Trans>A parent works here.</Trans>
        </p>
      )}
    </Notice>
  );
}

const Similar = ({ rows }: { rows: readonly SimilarInquiry[] }) => (
  <ul className={styles.similar}>
    {rows.map(({ id, child, inquiryNo, grade, academicYear, birthDate, state }) => (
      <li key={id}>
        <PageLink to="/school-erp/admission/inquiry/$inquiryID" params={{ inquiryID: String(id) }} target="_blank">
          {child || inquiryNo}
        </PageLink>{' '}
        <span className="soft">
          {[inquiryNo, grade, academicYear, birthDate && showDate(birthDate)].filter(Boolean).join(' · ')}
        </span>{' '}
        <InquiryStateChip state={state} />
      </li>
    ))}
  </ul>
);

/** The child has an inquiry in this year already: a twin or a mistake. */
export function SameChild({ similar }: { similar: readonly SimilarInquiry[] }) {
  const { values, errors } = useApiForm();
  const same = similar.filter(({ isSameChild }) => isSameChild);
  if (same.length === 0 && !errors.isAnotherChild && !values.isAnotherChild) return null;
  return (
    <>
      {same.length > 0 && (
        <Notice as="div" role="status">
          <p>
            <Trans>There is an inquiry with this name and birth date:</Trans>
          </p>
          <Similar rows={same} />
        </Notice>
      )}
      <TickField name="isAnotherChild" hint={<Trans>Such as a twin with the same name.</Trans>} />
    </>
  );
}

/** The child may be at the school: then the record is re-admitted or changed, and no form is needed. */
export function KnownStudents({ students }: { students: NonNullable<Known>['students'] }) {
  if (students.length === 0) return null;
  return (
    <Notice as="div" role="status">
      {students.map(({ id, name, grNo, place }) => (
        <p key={id}>
          <Trans>Already a student: GR {grNo}.</Trans>{' '}
          <PageLink to="/school-erp/student/student-list/$studentID" params={{ studentID: String(id) }}>
            {name}
          </PageLink>{' '}
          <span className="soft">{place}</span>
        </p>
      ))}
    </Notice>
  );
}

/** The child's age on the cut-off date; outside the grade's ages it needs a reason of the admission head. */
export function AgeReason({ age }: { age: NonNullable<Known>['age'] | undefined }) {
  const { values, errors } = useApiForm();
  const isAsked = age?.isOutside || errors.ageReason || values.ageReason;
  const words = age && translate(age.words);
  const isSaidBelow = errors.ageReason && translate(errors.ageReason) === words;
  return (
    <>
      {words && !isSaidBelow && (
        <p role="status" className={age.isOutside ? styles.outside : 'soft'}>
          {age.isOutside ? words : <Trans>{words}, fits</Trans>}
        </p>
      )}
      {isAsked && <FieldControl name="ageReason" field={childFields.ageReason} />}
    </>
  );
}
