import { Trans, useLingui } from '@lingui/react/macro';
import { Fragment, useId, useRef } from 'react';
import { qualificationMaster } from '#features/hris/contract/masters.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { FormButtons, FormDialog } from '#kit/browser/form/FormDialog.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { type Experience, educationApi, type Qualification } from '../contract/education.ts';
import type { StaffRecord } from '../contract/record.ts';
import styles from './EducationCard.module.css';

/** Qualifications and work at other employers, for the person and the keepers. */
export function EducationCard({ record }: { record: StaffRecord }) {
  const education = useRead(educationApi.education, { id: record.id });
  return (
    <QueryBoundary query={education}>
      {({ qualifications, experience }) => (
        <>
          <Qualifications record={record} rows={qualifications} />
          <Employers record={record} rows={experience} />
        </>
      )}
    </QueryBoundary>
  );
}

interface ListProps<Row> {
  record: StaffRecord;
  rows: Row[];
}

function Qualifications({ record, rows }: ListProps<Qualification>) {
  const { t } = useLingui();
  const toast = useToast();
  const remove = useAction(educationApi.removeQualification);
  const title = useId();
  const section = useRef<HTMLElement>(null);
  const removeRow = async (qualification: number) => {
    if (!(await remove.run({ id: record.id, qualification }))) return;
    toast({ kind: 'success', title: t`Removed.` });
    section.current?.focus(); // The pressed button is gone with its row.
  };
  return (
    <section ref={section} className="sheet sheet-wide" aria-labelledby={title} tabIndex={-1}>
      <div className={`list-head ${styles.head}`}>
        <h2 id={title}>
          <Trans>Qualifications</Trans>
        </h2>
        {record.isKept && <AddQualification id={record.id} />}
      </div>
      {remove.problem}
      {rows.length === 0 ? (
        <EmptyState message={<Trans>No qualifications yet</Trans>} />
      ) : (
        <ListRows
          className={styles.qualifications}
          caption={<Trans>Qualifications</Trans>}
          heads={[t`Qualification`, t`Subject`, t`Institute`, t`Year`, t`Result`]}
          rows={rows.map(({ id, name, isTeacherTraining, subject, institute, year, result }) => ({
            key: id,
            cells: [
              <Fragment key="name">
                {name}{' '}
                {isTeacherTraining && (
                  <Chip>
                    <Trans>Teacher training</Trans>
                  </Chip>
                )}
              </Fragment>,
              subject,
              institute,
              year,
              result,
            ],
            actions: record.isKept ? (
              <ConfirmButton
                name={t`Remove ${[name, subject].filter(Boolean).join(', ')}`}
                label={<Trans>Remove</Trans>}
                question={<Trans>Remove {name} from this record?</Trans>}
                confirm={<Trans>Remove</Trans>}
                onConfirm={() => void removeRow(id)}
              />
            ) : undefined,
          }))}
        />
      )}
    </section>
  );
}

function AddQualification({ id }: { id: number }) {
  const { t } = useLingui();
  const toast = useToast();
  const title = t`Add qualification`;
  return (
    <FormDialog title={title} label={title}>
      {(close, isChanged) => (
        <ApiForm
          endpoint={educationApi.addQualification}
          initial={{ qualificationId: '', subject: '', institute: '', year: '', result: '' }}
          hiddenValues={{ id }}
          label={title}
          onDone={() => {
            close();
            toast({ kind: 'success', title: t`Added.` });
          }}
          buttons={(isSending, hasChanged) => {
            isChanged.current = hasChanged;
            return <FormButtons isSending={isSending} close={close} words={<Trans>Add</Trans>} />;
          }}
        >
          <OptionField name="qualificationId" options={qualificationMaster.api.options} />
          <TextField name="subject" />
          <TextField name="institute" />
          <TextField name="year" width="short" inputMode="numeric" />
          <TextField name="result" width="medium" hint={<Trans>For example 68% or First class.</Trans>} />
        </ApiForm>
      )}
    </FormDialog>
  );
}

function Employers({ record, rows }: ListProps<Experience>) {
  const { t } = useLingui();
  const toast = useToast();
  const remove = useAction(educationApi.removeExperience);
  const title = useId();
  const section = useRef<HTMLElement>(null);
  const removeRow = async (experience: number) => {
    if (!(await remove.run({ id: record.id, experience }))) return;
    toast({ kind: 'success', title: t`Removed.` });
    section.current?.focus();
  };
  return (
    <section ref={section} className="sheet sheet-wide" aria-labelledby={title} tabIndex={-1}>
      <div className={`list-head ${styles.head}`}>
        <h2 id={title}>
          <Trans>Earlier employers</Trans>
        </h2>
        {record.isKept && <AddEmployer id={record.id} />}
      </div>
      {remove.problem}
      {rows.length === 0 ? (
        <EmptyState message={<Trans>No earlier employers yet</Trans>} />
      ) : (
        <ListRows
          className={styles.employers}
          caption={<Trans>Earlier employers</Trans>}
          heads={[t`Employer`, t`Designation`, t`From`, t`Until`]}
          rows={rows.map(({ id, employer, jobTitle, fromDay, untilDay }) => ({
            key: id,
            cells: [employer, jobTitle, showDate(fromDay), untilDay && showDate(untilDay)],
            actions: record.isKept ? (
              <ConfirmButton
                name={t`Remove ${employer}, ${jobTitle}`}
                label={<Trans>Remove</Trans>}
                question={<Trans>Remove {employer} from this record?</Trans>}
                confirm={<Trans>Remove</Trans>}
                onConfirm={() => void removeRow(id)}
              />
            ) : undefined,
          }))}
        />
      )}
    </section>
  );
}

function AddEmployer({ id }: { id: number }) {
  const { t } = useLingui();
  const toast = useToast();
  const title = t`Add employer`;
  return (
    <FormDialog title={title} label={title}>
      {(close, isChanged) => (
        <ApiForm
          endpoint={educationApi.addExperience}
          initial={{ employer: '', jobTitle: '', fromDay: '', untilDay: '' }}
          hiddenValues={{ id }}
          label={title}
          onDone={() => {
            close();
            toast({ kind: 'success', title: t`Added.` });
          }}
          buttons={(isSending, hasChanged) => {
            isChanged.current = hasChanged;
            return <FormButtons isSending={isSending} close={close} words={<Trans>Add</Trans>} />;
          }}
        >
          <TextField name="employer" />
          <TextField name="jobTitle" />
          <DateField name="fromDay" />
          <DateField name="untilDay" hint={<Trans>The last day of work there.</Trans>} />
        </ApiForm>
      )}
    </FormDialog>
  );
}
