import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { RowMenu } from '#kit/browser/list/RowMenu.tsx';
import { rowOpen } from '#kit/browser/list/row-open.ts';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { HistoryDialog } from '#kit/browser/ui/HistoryDialog.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { formatNumber, type NumberForm, patternProblem, resets, type YearNames } from '#kit/contract/numbering.ts';
import type { Text } from '#kit/contract/text.ts';
import { branchMaster } from '../contract/masters.ts';
import { type NumberSeries, numberSeriesApi, resetWords } from '../contract/number-series.ts';

const nameOf = ({ words, branch }: NumberSeries) => [translate(words), branch].filter(Boolean).join(', ');

/** The years in a number that is shown: a school without an academic year sees where it will stand. */
const shownYears = ({ academicYear, ...others }: YearNames): YearNames => ({
  ...others,
  academicYear: academicYear || '…',
});

export function NumberSeriesTab() {
  const { t } = useLingui();
  const series = useRead(numberSeriesApi.list, {});
  const [changed, setChanged] = useState<NumberSeries>();
  const [asked, setAsked] = useState<NumberSeries>();
  return (
    <QueryBoundary query={series}>
      {({ rows, years, ofBranches }) => (
        <>
          <div className="list-head">
            <p className="soft">
              <Trans>
                Numbers are issued in order, without gaps. A branch without a series of its own takes the school’s.
              </Trans>
            </p>
            <FormOpener
              kind="plain"
              title={t`Add a series for a branch`}
              label={<Trans>Add a series for a branch…</Trans>}
            >
              {(onClose) => <AddSeries ofBranches={ofBranches} onClose={onClose} />}
            </FormOpener>
          </div>
          <ListRows
            caption={<Trans>Number series</Trans>}
            heads={[t`Series`, t`Next number`, t`Numbering`]}
            rows={rows.map((row) => ({
              key: row.id,
              attributes: rowOpen(() => setChanged(row)),
              cells: [
                <Button
                  key="name"
                  kind="link"
                  className="list-name"
                  data-row-name={row.id}
                  onClick={() => setChanged(row)}
                >
                  {nameOf(row)}
                </Button>,
                formatNumber(row, shownYears(years), row.nextValue),
                translate(resetWords[row.resetOn]),
              ],
              actions: (
                <RowMenu name={nameOf(row)}>
                  {(from) => (
                    <>
                      <Menu.Item onClick={from(() => setChanged(row))}>
                        <Trans>Edit</Trans>
                      </Menu.Item>
                      <Menu.Item onClick={from(() => setAsked(row))}>
                        <Trans>History</Trans>
                      </Menu.Item>
                    </>
                  )}
                </RowMenu>
              ),
            }))}
          />
          {changed && (
            <ChangeSeries key={changed.id} series={changed} years={years} onClose={() => setChanged(undefined)} />
          )}
          {asked && (
            <HistoryDialog
              endpoint={numberSeriesApi.history}
              id={asked.id}
              displayName={nameOf(asked)}
              onClose={() => setAsked(undefined)}
            />
          )}
        </>
      )}
    </QueryBoundary>
  );
}

interface AddProps {
  ofBranches: { code: string; words: Text }[];
  onClose: () => void;
}

function AddSeries({ ofBranches, onClose }: AddProps) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Add a series for a branch`}
      endpoint={numberSeriesApi.create}
      initial={{
        code: ofBranches[0]?.code ?? '',
        branchId: '',
        prefix: '',
        pattern: '{prefix}{seq:4}',
        resetOn: 'never',
        nextValue: '1',
      }}
      onClose={onClose}
    >
      <SelectField
        name="code"
        options={ofBranches.map(({ code, words }) => ({ value: code, label: translate(words) }))}
      />
      <OptionField name="branchId" options={branchMaster.api.options} />
      <SeriesFields />
    </RecordForm>
  );
}

/** How the numbers are made up. */
function SeriesFields({ series }: { series?: NumberSeries }) {
  const { t } = useLingui();
  const { values } = useApiForm();
  const isFixed = series?.isFixed && values.resetOn === series.resetOn;
  // Text with braces cannot be part of an ICU message.
  const parts = { prefix: '{prefix}', year: '{AY}', financial: '{FY}', count: '{seq:5}' };
  return (
    <>
      <TextField name="prefix" width="medium" />
      <TextField
        name="pattern"
        hint={t`${parts.prefix}: the prefix; ${parts.year}: academic year; ${parts.financial}: financial year; ${parts.count}: number in five digits.`}
      />
      <SelectField
        name="resetOn"
        options={resets.map((value) => ({ value, label: translate(resetWords[value]) }))}
        hint={t`After a change, existing years continue their numbers; later years start at 1.`}
      />
      {isFixed ? (
        <p className="soft">
          <Trans>Numbers were issued already, so the next one can’t be changed.</Trans>
        </p>
      ) : (
        <TextField
          name="nextValue"
          width="short"
          inputMode="numeric"
          hint={t`You can only increase this number. Skipped numbers are never used.`}
        />
      )}
    </>
  );
}

interface Props {
  series: NumberSeries;
  years: YearNames;
  onClose: () => void;
}

function ChangeSeries({ series, years, onClose }: Props) {
  const { t } = useLingui();
  const title = t`Edit number series: ${nameOf(series)}`;
  const { id, rowVersion, nextValue, prefix, pattern, resetOn } = series;
  return (
    <RecordForm
      title={title}
      about={series.isGapless ? t`Numbers are issued in order, without gaps.` : undefined}
      endpoint={numberSeriesApi.save}
      initial={{ prefix, pattern, resetOn, nextValue: String(nextValue) }}
      hiddenValues={{ id, rowVersion, seenValue: nextValue }}
      onClose={onClose}
    >
      <Preview series={series} years={years} />
      <SeriesFields series={series} />
    </RecordForm>
  );
}

/** A preview of the next number. */
function Preview({ series, years }: Pick<Props, 'series' | 'years'>) {
  const { values } = useApiForm();
  const form = values as unknown as NumberForm;
  const typed = Number(values.nextValue) || series.nextValue;
  const value = form.resetOn === series.resetOn ? typed : Math.max(typed, series.carriedValue);
  return (
    <p className="question">
      <span className="soft">
        <Trans>Next number</Trans>
      </span>
      <br />
      <strong>{patternProblem(form) ? '–' : formatNumber(form, shownYears(years), value)}</strong>
    </p>
  );
}
