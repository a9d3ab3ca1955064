import { Trans, useLingui } from '@lingui/react/macro';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { RadioField } from '#kit/browser/form/choices.tsx';
import { focusOn } from '#kit/browser/form/ErrorSummary.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { ErrorText } from '#kit/browser/form/question.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Grid, Row, Stack } from '#kit/browser/ui/Layout.tsx';
import { showDate } from '#kit/contract/day.ts';
import { fieldInfo } from '#kit/contract/fields.ts';
import {
  type FrequencyKind,
  frequencyKinds,
  mostInstalments,
  rowFields,
  shareKinds,
  units,
  usualRows,
} from '../contract/frequency.ts';
import { daysOf, type YearDays } from '../contract/months.ts';
import { useYearOfDues } from './days-off.ts';
import styles from './FrequencyFields.module.css';
import { monthWords, periodWords } from './month-words.ts';
import { numberIn, type TypedRow, typedRow, typedRows } from './typed-row.ts';

type Name = keyof typeof rowFields;

const labelOf = (name: Name) => {
  const info = fieldInfo.get(rowFields[name]);
  return info ? translate(info.label) : name;
};

/** A usual instalment is named after its months. */
const named = (year: YearDays, rows: readonly TypedRow[]): TypedRow[] =>
  rows.map((row) => {
    const [fromMonth, months] = [numberIn(row.fromMonth), numberIn(row.months)];
    return row.label === '' && fromMonth !== undefined && months !== undefined
      ? { ...row, label: periodWords(year, { fromMonth, months }) }
      : row;
  });

/** What a frequency has: its kind fills in the usual instalments, each of which can be changed. */
export function FrequencyFields({ isNew = false }: { isNew?: boolean }) {
  const { t } = useLingui();
  const { values, change } = useApiForm();
  const year = useYearOfDues();
  const rows = values.rows as TypedRow[];
  useEffect(() => {
    // The first instalments are there before the working year is.
    if (year && isNew && rows.some(({ label }) => label === '')) change('rows', named(year, rows));
  });
  const choose = (kind: string) => {
    const usual = typedRows(usualRows(kind as FrequencyKind));
    if (usual.length > 0) change('rows', year ? named(year, usual) : usual);
    if (isNew && frequencyKinds.some((known) => known === values.name)) change('name', kind);
    if (isNew && String(values.code).length <= 1) change('code', kind.slice(0, 1));
  };
  return (
    <>
      <SelectField name="kind" options={frequencyKinds} width="medium" onChange={choose} />
      <TextField name="name" />
      <TextField name="code" width="short" />
      <RadioField name="sharing" options={shareKinds} />
      <Instalments
        year={year}
        rows={rows}
        hasShares={values.sharing === 'Percentages'}
        isOpen={values.kind === 'Custom'}
      />
      <SelectField
        name="unit"
        width="short"
        options={units}
        hint={t`An instalment of ₹8,333.33 becomes ₹8,333, or ₹8,330 with 10.`}
      />
      <SelectField
        name="remainderSeq"
        width="medium"
        options={rows.map(({ label }, place) => ({ value: String(place + 1), label: label || String(place + 1) }))}
        hint={t`So that the instalments total the annual amount exactly.`}
      />
    </>
  );
}

interface InstalmentsProps {
  year: YearDays | undefined;
  rows: readonly TypedRow[];
  hasShares: boolean;
  isOpen: boolean;
}

/** Usual instalments are listed with their days; they open to be changed, and whenever each needs an answer. */
function Instalments({ year, rows, hasShares, isOpen }: InstalmentsProps) {
  const { t } = useLingui();
  const { change, errors } = useApiForm();
  const [isChanging, setChanging] = useState(false);
  const id = useId();
  const isListed =
    !isChanging && !isOpen && !hasShares && !Object.keys(errors).some((name) => name.startsWith('rows.'));
  const set = (place: number, name: Name, value: string) =>
    change(
      'rows',
      rows.map((row, index) => (index === place ? { ...row, [name]: value } : row)),
      `rows.${place}.${name}`,
    );
  const add = () => {
    flushSync(() => change('rows', [...rows, typedRow()]));
    focusOn(`rows.${rows.length}.label`);
  };
  const remove = (place: number) => {
    flushSync(() =>
      change(
        'rows',
        rows.filter((_, index) => index !== place),
      ),
    );
    focusOn(`rows.${Math.min(place, rows.length - 2)}.label`);
  };
  return (
    <fieldset className="question" aria-describedby={errors.rows && `${id}-error`}>
      <legend>
        <Trans>Instalments</Trans>
      </legend>
      <ErrorText id={`${id}-error`} error={errors.rows} />
      {isListed && (
        <>
          <Row as="p" align="center" className={styles.day}>
            <label htmlFor={`${id}-day`}>
              <Trans>Due on day</Trans>
            </label>{' '}
            <input
              id={`${id}-day`}
              className="box"
              inputMode="numeric"
              autoComplete="off"
              value={rows[0]?.dueDay ?? ''}
              onChange={({ currentTarget: { value } }) =>
                change(
                  'rows',
                  rows.map((row) => ({ ...row, dueDay: value })),
                )
              }
            />
          </Row>
          <Grid as="ul" gap="4 24" mt={8} mb={12} className={styles.list} aria-label={t`Due days`}>
            {rows.map((row) => (
              <Row as="li" gap={8} justify="between" key={row.key}>
                <span>{row.label}</span> <span>{dueDayOf(year, row)}</span>
              </Row>
            ))}
          </Grid>
          <Button onClick={() => setChanging(true)}>
            <Trans>Change single instalments</Trans>
          </Button>
        </>
      )}
      <Stack as="ol" gap={10} mt={4} mb={10} className={styles.rows} hidden={isListed}>
        {rows.map((row, place) => (
          <Instalment
            key={row.key}
            year={year}
            row={row}
            place={place}
            hasShares={hasShares}
            onType={(name, value) => set(place, name, value)}
            onRemove={rows.length > 1 ? () => remove(place) : undefined}
          />
        ))}
      </Stack>
      {!isListed && rows.length < mostInstalments && (
        <Button onClick={add}>
          <IconPlus size={16} aria-hidden /> <Trans>Add instalment</Trans>
        </Button>
      )}
    </fieldset>
  );
}

/** The due day of an instalment in the working year. */
function dueDayOf(year: YearDays | undefined, row: TypedRow): string {
  const [fromMonth = 0, months = 1, dueMonth, dueDay] = [row.fromMonth, row.months, row.dueMonth, row.dueDay].map(
    numberIn,
  );
  if (!year || dueMonth === undefined || !dueDay) return '–';
  return showDate(daysOf(year, { fromMonth, months, dueMonth, dueDay }).dueOn);
}

interface InstalmentProps {
  year: YearDays | undefined;
  row: TypedRow;
  place: number;
  hasShares: boolean;
  onType: (name: Name, value: string) => void;
  onRemove: (() => void) | undefined;
}

function Instalment({ year, row, place, hasShares, onType, onRemove }: InstalmentProps) {
  const { t } = useLingui();
  const { errors } = useApiForm();
  const id = useId();
  const number = place + 1;
  const box = (name: Name) => {
    const field = `rows.${place}.${name}`;
    const label = labelOf(name);
    return {
      className: 'box',
      name: field,
      'aria-label': t`Instalment ${number}: ${label}`,
      value: row[name],
      'aria-invalid': Boolean(errors[field]),
      'aria-describedby': errors[field] && `${id}-${name}`,
      onChange: (event: { currentTarget: { value: string } }) => onType(name, event.currentTarget.value),
    };
  };
  const months = (count: number) =>
    Array.from({ length: count }, (_, month) => month).map((month) => (
      <option key={month} value={month}>
        {year ? monthWords(year, month, month === 12) : month + 1}
      </option>
    ));
  const dueOn = dueDayOf(year, row);
  return (
    <Grid as="li" gap="4 8" align="end" line="below" className={styles.row}>
      <Stack as="span" gap={2} tone="soft" size={13} className={styles.label}>
        <span aria-hidden>{labelOf('label')}</span>
        <input {...box('label')} autoComplete="off" />
      </Stack>
      <Stack as="span" gap={2} tone="soft" size={13}>
        <span aria-hidden>{labelOf('fromMonth')}</span>
        <select {...box('fromMonth')}>
          <option value="" />
          {months(12)}
        </select>
      </Stack>
      <Stack as="span" gap={2} tone="soft" size={13}>
        <span aria-hidden>{labelOf('months')}</span>
        <input {...box('months')} inputMode="numeric" autoComplete="off" />
      </Stack>
      <Stack as="span" gap={2} tone="soft" size={13}>
        <span aria-hidden>{labelOf('dueMonth')}</span>
        <select {...box('dueMonth')}>
          <option value="" />
          {months(13)}
        </select>
      </Stack>
      <Stack as="span" gap={2} tone="soft" size={13}>
        <span aria-hidden>{labelOf('dueDay')}</span>
        <input {...box('dueDay')} inputMode="numeric" autoComplete="off" />
      </Stack>
      {hasShares && (
        <Stack as="span" gap={2} tone="soft" size={13}>
          <span aria-hidden>{labelOf('share')}</span>
          <input {...box('share')} inputMode="decimal" autoComplete="off" />
        </Stack>
      )}
      <Stack as="span" tone="soft" size={13} className={styles.due}>
        <Trans>Due {dueOn}</Trans>
      </Stack>
      {onRemove && (
        <Button kind="quiet" aria-label={t`Remove instalment ${number}`} onClick={onRemove}>
          <Trans>Remove</Trans>
        </Button>
      )}
      {(Object.keys(rowFields) as Name[]).map((name) => (
        <ErrorText key={name} id={`${id}-${name}`} error={errors[`rows.${place}.${name}`]} />
      ))}
    </Grid>
  );
}
