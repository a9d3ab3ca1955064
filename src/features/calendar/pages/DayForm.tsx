import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { translate } from '#kit/browser/text.ts';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { Text } from '#kit/contract/text.ts';
import { type Calendar, calendarApi, type DayKind, dayKinds } from '../contract/calendar.ts';
import { type Span, spansOf } from '../contract/working-days.ts';
import type { AcademicYear } from '../contract/year.ts';
import { spanWords } from './calendar-words.ts';
import type { Grades } from './grades.ts';
import { usePastWarning } from './use-past-warning.ts';

/** The initial values of the form. */
export interface Wanted extends Omit<Span, 'kind'> {
  kind: DayKind | '';
  /** An entry of the calendar is edited. */
  isThere: boolean;
}

/** The props of every form of the calendar. */
export interface Dialog {
  hiddenValues: { academicYearId: number; rowVersion: number };
  onClose: () => void;
  onDone: () => Promise<unknown>;
}

interface Props extends Dialog {
  year: AcademicYear;
  calendar: Calendar;
  grades: Grades;
  wanted: Wanted;
}

export function DayForm({ hiddenValues, year, calendar, grades, wanted, onClose, onDone }: Props) {
  const { t } = useLingui();
  const { isThere, from, to, gradeId } = wanted;
  const [first, last] = [showDate(calendar.startsOn), showDate(calendar.endsOn)];
  const title = isThere ? t`Edit ${wanted.name}` : from ? showDate(from) : t`Add special days`;
  const instead = isThere ? { from, to, gradeId } : undefined;
  const { warned, mark, elsewhere } = usePastWarning();
  return (
    <RecordForm
      title={title}
      about={isThere ? spanWords(wanted) : t`${year.name}: ${first} to ${last}`}
      endpoint={calendarApi.setDays}
      initial={{ from, to, kind: wanted.kind, name: wanted.name, gradeId: gradeId ? String(gradeId) : '' }}
      hiddenValues={{ ...hiddenValues, instead, warned }}
      elsewhere={elsewhere}
      words={from ? <Trans>Save</Trans> : <Trans>Add</Trans>}
      onDone={onDone}
      onClose={onClose}
    >
      {(close) => (
        <>
          <DateField name="from" />
          <DateField name="to" follows="from" />
          <SelectField
            name="kind"
            options={dayKinds}
            hint={t`Choose Working day when school is open on a weekly off.`}
          />
          <TextField name="name" />
          <SelectField
            name="gradeId"
            placeholder={t`The whole school`}
            hint={t`A grade’s own setting overrides the whole school’s.`}
            options={grades
              .filter(({ id, isActive }) => isActive || id === gradeId)
              .map(({ id, name }) => ({ value: String(id), label: name }))}
          />
          <span ref={mark} hidden />
          <Replaced calendar={calendar} instead={instead} />
          {isThere && <Remove hiddenValues={hiddenValues} wanted={wanted} close={close} />}
        </>
      )}
    </RecordForm>
  );
}

interface ReplacedProps {
  calendar: Calendar;
  instead: Pick<Span, 'from' | 'to' | 'gradeId'> | undefined;
}

/** Warns of the entries that a save would replace. */
function Replaced({ calendar: { days, weeklyOff }, instead }: ReplacedProps) {
  const { values } = useApiForm();
  const [from, to] = [String(values.from), String(values.to)];
  const gradeId = Number(values.gradeId) || null;
  const isOwn = (day: string) => instead && instead.gradeId === gradeId && day >= instead.from && day <= instead.to;
  const there = days.filter(
    (entry) => entry.day >= from && entry.day <= to && entry.gradeId === gradeId && from !== '' && !isOwn(entry.day),
  );
  const names = spansOf(there, weeklyOff)
    .map((span) => `${span.name} (${spanWords(span)})`)
    .join(', ');
  return (
    <p className="warning" role="status">
      {names && <Trans>This replaces {names}.</Trans>}
    </p>
  );
}

function Remove({ hiddenValues, wanted, close }: Pick<Dialog, 'hiddenValues'> & { wanted: Wanted; close: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const [warning, setWarning] = useState<{ texts: Text[]; token: string }>();
  const remove = useAction(calendarApi.removeDays, {
    onRefused: ({ data }) => setWarning(data && 'texts' in data ? (data as unknown as typeof warning) : undefined),
  });
  const { from, to, gradeId, name } = wanted;
  const days = spanWords(wanted);
  return (
    <div>
      <ConfirmButton
        name={t`Remove ${name}`}
        label={<Trans>Remove</Trans>}
        question={
          <Trans>
            Remove {name} from {days}?
          </Trans>
        }
        confirm={<Trans>Remove</Trans>}
        onConfirm={async () => {
          if (!(await remove.run({ ...hiddenValues, from, to, gradeId, warned: warning?.token ?? '' }))) return;
          close();
          toast({ kind: 'success', title: t`Removed.`, of: name });
        }}
      />
      {remove.problem}
      {warning?.texts.map((words) => (
        <p key={words.id} className="warning" role="status">
          {translate(words)} <Trans>Remove again to change the days anyway.</Trans>
        </p>
      ))}
    </div>
  );
}
