import { Trans, useLingui } from '@lingui/react/macro';
import { Fragment, type ReactNode, useRef } from 'react';
import { qualificationMaster } from '#features/hris/contract/masters.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { type Experience, educationApi, type Qualification } from '../contract/education.ts';
import type { StaffRecord } from '../contract/record.ts';

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

interface Listed {
  key: number;
  /** Names the entry for its button. */
  name: string;
  /** What the question calls it. */
  what: string;
  cells: ReactNode[];
}

interface ListProps {
  title: string;
  empty: ReactNode;
  heads: string[];
  rows: Listed[];
  /** The button that adds an entry; without it nothing is changed. */
  add: ReactNode;
  remove: { run: (key: number) => Promise<object | undefined>; problem: ReactNode };
}

function EntryList({ title, empty, heads, rows, add, remove }: ListProps) {
  const { t } = useLingui();
  const toast = useToast();
  const card = useRef<HTMLElement>(null);
  const removeRow = async (key: number) => {
    if (!(await remove.run(key))) return;
    toast({ kind: 'success', title: t`Removed.`, of: title });
    card.current?.focus(); // The pressed button is gone with its row.
  };
  return (
    <RecordCard ref={card} isWide title={title} actions={add}>
      {remove.problem}
      {rows.length === 0 ? (
        <EmptyState message={empty} />
      ) : (
        <ListRows
          caption={title}
          heads={heads}
          rows={rows.map(({ key, name, what, cells }) => ({
            key,
            cells,
            actions: add ? (
              <ConfirmButton
                name={t`Remove ${name}`}
                label={<Trans>Remove</Trans>}
                question={<Trans>Remove {what} from this record?</Trans>}
                confirm={<Trans>Remove</Trans>}
                onConfirm={() => void removeRow(key)}
              />
            ) : undefined,
          }))}
        />
      )}
    </RecordCard>
  );
}

interface RowsProps<Row> {
  record: StaffRecord;
  rows: Row[];
}

function Qualifications({ record: { id, may }, rows }: RowsProps<Qualification>) {
  const { t } = useLingui();
  const { run, problem } = useAction(educationApi.removeQualification);
  return (
    <EntryList
      title={t`Qualifications`}
      empty={<Trans>No qualifications yet</Trans>}
      heads={[t`Qualification`, t`Subject`, t`Institute`, t`Year`, t`Result`]}
      add={may.update && <AddQualification id={id} />}
      remove={{ run: (qualification) => run({ id, qualification }), problem }}
      rows={rows.map(({ id: key, name, isTeacherTraining, subject, institute, year, result }) => ({
        key,
        name: [name, subject].filter(Boolean).join(', '),
        what: name,
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
      }))}
    />
  );
}

function Employers({ record: { id, may }, rows }: RowsProps<Experience>) {
  const { t } = useLingui();
  const { run, problem } = useAction(educationApi.removeExperience);
  return (
    <EntryList
      title={t`Earlier employers`}
      empty={<Trans>No earlier employers yet</Trans>}
      heads={[t`Employer`, t`Designation`, t`From`, t`Until`]}
      add={may.update && <AddEmployer id={id} />}
      remove={{ run: (experience) => run({ id, experience }), problem }}
      rows={rows.map(({ id: key, employer, jobTitle, fromDay, untilDay }) => ({
        key,
        name: `${employer}, ${jobTitle}`,
        what: employer,
        cells: [employer, jobTitle, showDate(fromDay), untilDay && showDate(untilDay)],
      }))}
    />
  );
}

function AddQualification({ id }: { id: number }) {
  const { t } = useLingui();
  const title = t`Add qualification`;
  return (
    <FormOpener title={title} label={title}>
      {(onClose) => (
        <RecordForm
          title={title}
          endpoint={educationApi.addQualification}
          initial={{ qualificationId: '', subject: '', institute: '', year: '', result: '' }}
          hiddenValues={{ id }}
          words={<Trans>Add</Trans>}
          saved={t`Added.`}
          onClose={onClose}
        >
          <OptionField name="qualificationId" options={qualificationMaster.api.options} />
          <TextField name="subject" />
          <TextField name="institute" />
          <TextField name="year" width="short" inputMode="numeric" />
          <TextField name="result" width="medium" hint={<Trans>For example 68% or First class.</Trans>} />
        </RecordForm>
      )}
    </FormOpener>
  );
}

function AddEmployer({ id }: { id: number }) {
  const { t } = useLingui();
  const title = t`Add employer`;
  return (
    <FormOpener title={title} label={title}>
      {(onClose) => (
        <RecordForm
          title={title}
          endpoint={educationApi.addExperience}
          initial={{ employer: '', jobTitle: '', fromDay: '', untilDay: '' }}
          hiddenValues={{ id }}
          words={<Trans>Add</Trans>}
          saved={t`Added.`}
          onClose={onClose}
        >
          <TextField name="employer" />
          <TextField name="jobTitle" />
          <DateField name="fromDay" />
          <DateField name="untilDay" hint={<Trans>The last day of work there.</Trans>} />
        </RecordForm>
      )}
    </FormOpener>
  );
}
