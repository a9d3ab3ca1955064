import { Trans, useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Grid, Stack, Table } from '#kit/browser/ui/Layout.tsx';
import { isNeeded } from '#kit/contract/field.ts';
import type { ImportStage } from '#kit/contract/import.ts';
import { neededMark } from '#kit/contract/import-limits.ts';
import { type ColumnPlan, type ImportPlan, type NameOrder, nameOrders } from '#kit/contract/import-plan.ts';
import { splitLetter } from '#kit/contract/letter-pair.ts';
import { splitName, withoutTitles } from '#kit/contract/whole-name.ts';
import styles from './FileImport.module.css';
import { type Fields, matchedOf, missingOf } from './import-flow.ts';

interface Props {
  stage: ImportStage;
  fields: Fields;
  plan: ImportPlan;
  /** The parts of a whole name; [] where the list has none. */
  whole: readonly string[];
  /** The fields that a column such as "5-A" becomes. */
  pair?: readonly [first: string, second: string] | undefined;
  onChange: (plan: ImportPlan) => void;
}

const wholeChoice = ' whole';

/** Every column of the file with two of its values and its match, and values for what the file lacks. */
export function ColumnsStep({ stage, fields, plan, whole, pair, onChange }: Props) {
  const { t } = useLingui();
  const id = useId();
  const matched = matchedOf(plan, whole);
  const missing = missingOf(fields, plan, { whole, pair, stage });
  const setColumn = (index: number, column: ColumnPlan | undefined) => {
    const { [String(index)]: _, ...others } = plan.columns;
    onChange({ ...plan, columns: column ? { ...others, [String(index)]: column } : others });
  };
  const choose = (index: number, value: string) => {
    if (value === wholeChoice)
      setColumn(index, { to: whole[0] ?? '', order: whole.length > 2 ? 'First Middle Last' : 'First Last' });
    else setColumn(index, value ? { to: value } : undefined);
  };
  const setSame = (name: string, value: string) => {
    const { [name]: _, ...others } = plan.same;
    onChange({ ...plan, same: value ? { ...others, [name]: value } : others });
  };
  const lacking = Object.keys(fields).filter((name) => !matched.has(name));
  const first = lacking.filter((name) => missing.includes(name) || plan.same[name] !== undefined);
  const others = lacking.filter((name) => !first.includes(name));
  const labelOf = (name: string) => (fields[name] ? translate(fields[name].label) : name);
  const wholeLabel = whole.map(labelOf).join(' + ');
  return (
    <>
      {first.length > 0 && (
        <>
          <h3 className={styles.part}>
            <Trans>Not in the file</Trans>
          </h3>
          <p className="soft">
            <Trans>Required for new rows. Match a column below, or enter a value for all rows.</Trans>
          </p>
          {first.map((name) => (
            <SameForAll
              key={name}
              name={name}
              {...{ fields, stage, plan }}
              isMissing={missing.includes(name)}
              onChange={setSame}
            />
          ))}
        </>
      )}
      <Table className={styles.columns}>
        <thead>
          <tr>
            <th scope="col">{t`Column of the file`}</th>
            <th scope="col">{t`Examples`}</th>
            <th scope="col">{t`Import as`}</th>
          </tr>
        </thead>
        <tbody>
          {stage.columns.map(({ head, samples }, index) => {
            const column = plan.columns[String(index)];
            const isWhole = column?.order !== undefined;
            const control = `${id}-${index}`;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place.
              <tr key={index} data-out={column ? undefined : true}>
                <th scope="row">
                  <label htmlFor={control}>{head || t`Column ${index + 1}, no heading`}</label>
                </th>
                <td className="soft">{samples.join(' · ') || t`empty`}</td>
                <td>
                  <select
                    id={control}
                    className="box"
                    value={isWhole ? wholeChoice : (column?.to ?? '')}
                    onChange={({ currentTarget }) => choose(index, currentTarget.value)}
                  >
                    <option value="">{t`Do not import`}</option>
                    {whole.length > 0 && <option value={wholeChoice}>{t`Whole name: ${wholeLabel}`}</option>}
                    {Object.entries(fields).map(([name, field]) => (
                      <option key={name} value={name} disabled={matched.has(name) && column?.to !== name}>
                        {translate(field.label)} {isNeeded(field) && neededMark}
                      </option>
                    ))}
                  </select>
                  {column && ['text'].includes(fields[column.to]?.kind ?? '') && (
                    <NameParts
                      column={column}
                      samples={samples}
                      parts={whole}
                      onChange={(next) => setColumn(index, next)}
                    />
                  )}
                  {pair && column?.to === pair[0] && !matched.has(pair[1]) && samples.some(splitLetter) && (
                    <p className="soft">
                      {labelOf(pair[0])} | {labelOf(pair[1])}:{' '}
                      {samples.map((sample) => (splitLetter(sample) ?? [sample]).join(' | ')).join(' · ')}
                    </p>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </Table>
      {others.length > 0 && (
        <details className={styles.part}>
          <summary>
            <Trans>Set another field for all rows</Trans>
          </summary>
          {others.map((name) => (
            <SameForAll key={name} name={name} {...{ fields, stage, plan }} onChange={setSame} />
          ))}
        </details>
      )}
    </>
  );
}

interface SameProps {
  name: string;
  fields: Fields;
  stage: ImportStage;
  plan: ImportPlan;
  /** The import stops for it. */
  isMissing?: boolean;
  onChange: (name: string, value: string) => void;
}

/** The value of a field that the file lacks, the same for all rows. */
function SameForAll({ name, fields, stage, plan, isMissing = false, onChange }: SameProps) {
  const { t } = useLingui();
  const id = useId();
  const field = fields[name];
  if (!field) return null;
  const label = translate(field.label);
  const choices = stage.choices[name] ?? [];
  const value = plan.same[name] ?? '';
  return (
    <Grid as="p" gap="8 16" align="center" mt={6} mb={6} className={styles.line}>
      <label htmlFor={id}>
        {label} {isNeeded(field) && neededMark}
      </label>
      {choices.length > 0 ? (
        <select
          id={id}
          className="box"
          data-missing={isMissing || undefined}
          value={value}
          onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
        >
          <option value="">{t`Not in this file`}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {translateOption(choice)}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          className="box"
          data-missing={isMissing || undefined}
          value={value}
          maxLength={200}
          placeholder={field.kind === 'date' || field.kind === 'birthDate' ? t`DD-MM-YYYY` : t`The same for all rows`}
          onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
        />
      )}
    </Grid>
  );
}

interface PartsProps {
  column: ColumnPlan;
  samples: readonly string[];
  parts: readonly string[];
  onChange: (column: ColumnPlan) => void;
}

/** How a whole name is split, and whether titles are taken off, shown on the examples. */
function NameParts({ column, samples, parts, onChange }: PartsProps) {
  const { t } = useLingui();
  const { order, takesTitles = false } = column;
  const hasTitles = takesTitles || samples.some((one) => withoutTitles(one) !== one);
  if (!order && !hasTitles) return null;
  const clean = (name: string) => (takesTitles ? withoutTitles(name) : name);
  const shown = samples.map((name) =>
    order
      ? splitName(clean(name), order, parts.length)
          .map((part) => part || '–')
          .join(' | ')
      : clean(name),
  );
  const orders = nameOrders.filter((one) => parts.length > 2 || !one.includes('Middle'));
  const words: Record<NameOrder, string> = {
    'First Middle Last': t`First, middle, last name`,
    'Last First Middle': t`Last, first, middle name`,
    'First Last': t`First and last name`,
    'Last First': t`Last and first name`,
    'First Middle': t`First and middle name, without a last name`,
  };
  return (
    <Stack as="span" gap={4} mt={6}>
      {order && (
        <select
          className="box"
          aria-label={t`Order of the names`}
          value={order}
          onChange={({ currentTarget }) => onChange({ ...column, order: currentTarget.value as NameOrder })}
        >
          {orders.map((one) => (
            <option key={one} value={one}>
              {words[one]}
            </option>
          ))}
        </select>
      )}
      {hasTitles && (
        <label>
          <input
            type="checkbox"
            checked={takesTitles}
            onChange={({ currentTarget }) => onChange({ ...column, takesTitles: currentTarget.checked })}
          />{' '}
          <Trans>Remove titles such as Mr and Smt</Trans>
        </label>
      )}
      <span className="soft">{shown.join(' · ')}</span>
    </Stack>
  );
}
