import { Trans, useLingui } from '@lingui/react/macro';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { GradesField } from '#features/academic/ui/GradesField.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { focusOn } from '#kit/browser/form/ErrorSummary.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { LeaveGuard } from '#kit/browser/form/LeaveGuard.tsx';
import { ErrorText } from '#kit/browser/form/question.tsx';
import { CardButtons, RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { typedOf } from '#kit/browser/record/versions.ts';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Grid, Row, Table } from '#kit/browser/ui/Layout.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { fieldInfo } from '#kit/contract/fields.ts';
import { readMoney, showMoney, typedMoney } from '#kit/contract/money.ts';
import { totalsOf } from '../contract/amounts.ts';
import { headMaster } from '../contract/masters.ts';
import { everyMonth } from '../contract/split.ts';
import {
  lineFields,
  type Structure,
  type StructureLine,
  structureApi,
  structureFields,
} from '../contract/structure.ts';
import { useDaysOff } from './days-off.ts';
import { monthsWords, monthWords } from './month-words.ts';
import styles from './StructurePrices.module.css';
import { DueDays, instalmentsOfLine, TotalWords, useFrequencies } from './StructurePrices.tsx';

/** A price as it is typed. */
interface TypedLine {
  key: string;
  feeHeadId: string;
  frequencyId: string;
  annual: string;
  months: number | null;
}

const typedLines = ({ lines }: Structure): TypedLine[] =>
  lines.map(({ feeHeadId, frequencyId, annual, months }) => ({
    key: String(feeHeadId),
    feeHeadId: String(feeHeadId),
    frequencyId: String(frequencyId),
    annual: typedMoney(annual),
    months,
  }));

/** A draft's prices: heads, amounts and months in a grid, beside what they make due. */
export function StructureForm({ structure }: { structure: Structure }) {
  const { t } = useLingui();
  const toast = useToast();
  const [version, setVersion] = useState({ first: structure.version, now: structure.version });
  // Another person's save begins the form again; an own save leaves the form and its focus as they are.
  if (structure.version > version.now) setVersion({ first: structure.version, now: structure.version });
  return (
    <RecordCard title={t`Prices of the year`} isWide>
      <ApiForm
        key={version.first}
        endpoint={structureApi.update}
        label={t`Prices of the year`}
        initial={{
          ...typedOf(structureFields, structure as unknown as Record<string, unknown>),
          gradeIds: structure.grades.map(({ id }) => id),
          lines: typedLines(structure),
        }}
        hiddenValues={{ id: structure.id, version: version.now }}
        onDone={async (saved) => {
          setVersion(({ first }) => ({ first, now: saved.version }));
          toast({ kind: 'success', title: t`Saved.` });
        }}
        buttons={(isSending, isChanged) => (
          <CardButtons>
            <LeaveGuard isChanged={isChanged && !isSending} />
            <Button type="submit" kind="main" isBusy={isSending}>
              <Trans>Save</Trans>
            </Button>
          </CardButtons>
        )}
      >
        <PriceGrid structure={structure} />
        <details>
          <summary>
            <Trans>Name, grades and students</Trans>
          </summary>
          <FieldControls fields={structureFields} />
          <GradesField />
        </details>
      </ApiForm>
    </RecordCard>
  );
}

const labelOf = (name: keyof typeof lineFields) => {
  const info = fieldInfo.get(lineFields[name]);
  return info ? translate(info.label) : name;
};

function PriceGrid({ structure }: { structure: Structure }) {
  const { t } = useLingui();
  const { values, change, errors } = useApiForm();
  const frequencies = useFrequencies();
  const year = { ...structure, daysOff: useDaysOff() };
  const { data: page } = useRead(headMaster.api.list, { search: '', state: 'active', sort: 'priority' });
  const id = useId();
  const lines = values.lines as TypedLine[];
  const heads = page?.rows ?? [];
  const set = (place: number, over: Partial<TypedLine>, field?: string) =>
    change(
      'lines',
      lines.map((line, index) => (index === place ? { ...line, ...over } : line)),
      field && `lines.${place}.${field}`,
    );
  const add = () => {
    const free = heads.find((head) => !lines.some(({ feeHeadId }) => feeHeadId === String(head.id)));
    const next: TypedLine = {
      key: crypto.randomUUID(),
      feeHeadId: free ? String(free.id) : '',
      frequencyId: free ? String(free.frequencyId) : '',
      annual: '',
      months: null,
    };
    flushSync(() => change('lines', [...lines, next]));
    focusOn(`lines.${lines.length}.${free ? 'annual' : 'feeHeadId'}`);
  };
  const remove = (place: number) =>
    change(
      'lines',
      lines.filter((_, index) => index !== place),
    );
  const names = new Map(structure.lines.map((line) => [String(line.feeHeadId), line]));
  const appliesTo = (head: string) =>
    (heads.find(({ id }) => String(id) === head)?.appliesTo ??
      names.get(head)?.appliesTo ??
      'All students') as StructureLine['appliesTo'];
  const priced = lines.map(({ feeHeadId, frequencyId, annual, months }) => ({
    appliesTo: appliesTo(feeHeadId),
    frequencyId: Number(frequencyId),
    annual: readMoney(annual) ?? 0,
    months,
  }));
  return (
    <Grid gap={32} mb={16} className={styles.sides}>
      <div>
        <ErrorText id={`${id}-error`} error={errors.lines} />
        <Table className={styles.prices}>
          <thead>
            <tr>
              <th scope="col">{labelOf('feeHeadId')}</th>
              <th scope="col">{labelOf('frequencyId')}</th>
              <th scope="col">{labelOf('annual')}</th>
              <th scope="col">{labelOf('months')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {lines.map((line, place) => (
              <Line
                key={line.key}
                id={id}
                line={line}
                place={place}
                structure={structure}
                onChange={(over, field) => set(place, over, field)}
                onRemove={() => remove(place)}
                heads={[
                  ...heads.map((head) => ({ id: String(head.id), name: head.displayName })),
                  ...[...names].flatMap(([known, { head: name }]) =>
                    heads.some((head) => String(head.id) === known) ? [] : [{ id: known, name }],
                  ),
                ]}
                frequencies={[...frequencies.values()].filter(
                  (frequency) => frequency.isActive || String(frequency.id) === line.frequencyId,
                )}
                frequencyOf={(head) => {
                  const found = heads.find((row) => String(row.id) === head);
                  return found ? String(found.frequencyId) : line.frequencyId;
                }}
              />
            ))}
          </tbody>
          <tfoot>
            {totalsOf(priced).map(({ of, total }) => (
              <tr key={of}>
                <th scope="row" colSpan={2}>
                  <TotalWords of={of} />
                </th>
                <td colSpan={3}>
                  <output>{showMoney(total)}</output>
                </td>
              </tr>
            ))}
          </tfoot>
        </Table>
        <Button onClick={add}>
          <IconPlus size={16} aria-hidden /> {t`Add fee head`}
        </Button>
      </div>
      <DueDays lines={priced.map((line) => ({ ...line, instalments: instalmentsOfLine(year, frequencies, line) }))} />
    </Grid>
  );
}

interface LineProps {
  id: string;
  line: TypedLine;
  place: number;
  structure: Structure;
  heads: readonly { id: string; name: string }[];
  frequencies: readonly { id: number; name: string }[];
  /** The usual frequency of a head. */
  frequencyOf: (head: string) => string;
  onChange: (over: Partial<TypedLine>, field?: string) => void;
  onRemove: () => void;
}

function Line({ id, line, place, structure, heads, frequencies, frequencyOf, onChange, onRemove }: LineProps) {
  const { t } = useLingui();
  const { errors } = useApiForm();
  const number = place + 1;
  const cell = (name: 'feeHeadId' | 'frequencyId' | 'annual', control: (common: object) => ReactNode) => {
    const field = `lines.${place}.${name}`;
    const label = labelOf(name);
    return (
      <td>
        {control({
          className: 'box',
          name: field,
          'aria-label': t`Fee head ${number}: ${label}`,
          'aria-invalid': Boolean(errors[field]),
          'aria-describedby': errors[field] && `${id}-${field}`,
        })}
        <ErrorText id={`${id}-${field}`} error={errors[field]} />
      </td>
    );
  };
  return (
    <tr>
      {cell('feeHeadId', (common) => (
        <select
          {...common}
          value={line.feeHeadId}
          onChange={({ currentTarget: { value } }) =>
            onChange({ feeHeadId: value, frequencyId: frequencyOf(value) }, 'feeHeadId')
          }
        >
          <option value="">{t`Choose`}</option>
          {heads.map((head) => (
            <option key={head.id} value={head.id}>
              {head.name}
            </option>
          ))}
        </select>
      ))}
      {cell('frequencyId', (common) => (
        <select
          {...common}
          value={line.frequencyId}
          onChange={({ currentTarget: { value } }) => onChange({ frequencyId: value }, 'frequencyId')}
        >
          <option value="">{t`Choose`}</option>
          {frequencies.map((frequency) => (
            <option key={frequency.id} value={frequency.id}>
              {frequency.name}
            </option>
          ))}
        </select>
      ))}
      {cell('annual', (common) => (
        <input
          {...common}
          inputMode="decimal"
          autoComplete="off"
          value={line.annual}
          onChange={({ currentTarget: { value } }) => onChange({ annual: value }, 'annual')}
        />
      ))}
      <td>
        <Months line={line} place={place} structure={structure} onChange={(months) => onChange({ months })} />
      </td>
      <td>
        <Button kind="quiet" edge="end" aria-label={t`Remove fee head ${number}`} onClick={onRemove}>
          <Trans>Remove</Trans>
        </Button>
      </td>
    </tr>
  );
}

interface MonthsProps {
  line: TypedLine;
  place: number;
  structure: Structure;
  onChange: (months: number | null) => void;
}

/** The months that are charged: all of them, or those that are ticked. */
function Months({ line, place, structure, onChange }: MonthsProps) {
  const { t } = useLingui();
  const number = place + 1;
  const mask = line.months ?? everyMonth;
  const toggle = (month: number) => {
    const next = mask ^ (1 << month);
    // A head without a month would not be charged.
    if (next !== 0) onChange(next === everyMonth ? null : next);
  };
  return (
    <details>
      <summary aria-label={t`Months of fee head ${number}`}>
        {line.months === null ? <Trans>All</Trans> : monthsWords(structure, line.months)}
      </summary>
      <Grid gap="2 8" mt={6} className={styles.months}>
        {Array.from({ length: 12 }, (_, month) => month).map((month) => (
          <Row as="label" gap={6} align="center" key={month}>
            <input type="checkbox" checked={((mask >> month) & 1) === 1} onChange={() => toggle(month)} />{' '}
            {monthWords(structure, month)}
          </Row>
        ))}
      </Grid>
    </details>
  );
}
