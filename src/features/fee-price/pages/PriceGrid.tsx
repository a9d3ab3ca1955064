import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { yearApi } from '#features/calendar/contract/year.ts';
import { useWorkingYear } from '#features/calendar/ui/use-working-year.ts';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { Fold } from '#kit/browser/form/Fold.tsx';
import { LeaveGuard } from '#kit/browser/form/LeaveGuard.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { useNarrow } from '#kit/browser/list/use-narrow.ts';
import { translateOption } from '#kit/browser/text.ts';
import { AmountTable } from '#kit/browser/ui/AmountTable.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { GridSheet, type SheetChange } from '#kit/browser/ui/GridSheet.tsx';
import { Grid, Row, Text } from '#kit/browser/ui/Layout.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { Segments } from '#kit/browser/ui/Segments.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { readMoney, showMoney, typedMoney } from '#kit/contract/money.ts';
import { type PriceGridOfYear, type PriceRow, priceGridApi } from '../contract/price-grid.ts';
import { mostPublished, structureApi } from '../contract/structure.ts';
import styles from './PriceGrid.module.css';
import { PublishStructures } from './PublishStructures.tsx';
import { isWrong, monthsOf, priceIn, rowsToSave, type Typed, totalOf, writeInto } from './price-edits.ts';
import { RaisePrices } from './RaisePrices.tsx';

/** Prices of a year in one sheet: grades down, fee heads across. */
export function PriceGrid() {
  const { t } = useLingui();
  const { address, go } = useListAddress();
  const working = useWorkingYear();
  const { data: years = [] } = useRead(yearApi.list, {});
  const yearId = Number(address.academicYearId ?? working?.id ?? 0);
  if (yearId === 0) return null;
  const year = (
    <select
      className={classNames('box', styles.choice)}
      aria-label={t`Academic year`}
      value={String(yearId)}
      onChange={({ currentTarget }) => go({ ...address, academicYearId: currentTarget.value })}
    >
      {years.map(({ id, name }) => (
        <option key={id} value={String(id)}>
          {name}
        </option>
      ))}
    </select>
  );
  const name = years.find(({ id }) => id === yearId)?.name ?? '';
  return <PricesOfYear key={yearId} yearId={yearId} name={name} year={year} />;
}

interface OfYear {
  yearId: number;
  /** The choice of the year, beside the other tools of the sheet. */
  year: ReactNode;
}

function PricesOfYear({ yearId, name, year }: OfYear & { name: string }) {
  const query = useRead(priceGridApi.read, { academicYearId: yearId });
  const isShown = query.data && query.data.rows.length > 0;
  return (
    <Grid columns={1} gap={16}>
      {!isShown && <Row>{year}</Row>}
      <QueryBoundary query={query}>
        {(grid) =>
          grid.rows.length === 0 ? (
            <EmptyState message={<Trans>No prices in {name} yet.</Trans>}>
              <PageLink to="/school-erp/fee/fee-structure-allocation" search={{ part: 'structure' }}>
                <Trans>Add or copy structures first</Trans>
              </PageLink>
            </EmptyState>
          ) : (
            <Sheet grid={grid} yearId={yearId} year={year} readAgain={() => void query.refetch()} />
          )
        }
      </QueryBoundary>
    </Grid>
  );
}

interface SheetProps extends OfYear {
  grid: PriceGridOfYear;
  readAgain: () => void;
}

function Sheet({ grid, yearId, year, readAgain }: SheetProps) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(priceGridApi.save);
  const [typed, setTyped] = useState<Typed>({});
  const [past, setPast] = useState<Typed[]>([]);
  const [isMonthly, setMonthly] = useState(false);
  const [added, setAdded] = useState<readonly number[]>([]);
  const [selected, setSelected] = useState<readonly { row: string; column: string }[]>([]);
  // The rows that were saved since they were last published. A new version has the key of the prices that it replaces.
  const [written, setWritten] = useState<readonly string[]>([]);
  const isPhone = useNarrow();
  const mayPublish = useMay(structureApi.publishMany);
  const rowOf = new Map(grid.rows.map((row) => [row.key, row]));
  const used = (id: number) =>
    added.includes(id) || grid.rows.some(({ lines }) => lines.some((l) => l.feeHeadId === id));
  const heads = grid.heads.filter(({ id }) => used(id));
  const more = grid.heads.filter(({ id, isActive }) => isActive && !used(id));
  const isLocked = ({ status }: PriceRow) => !grid.may.save || status === 'Waiting for approval';
  const change = (changes: readonly SheetChange[]) => {
    setPast((before) => [...before.slice(-99), typed]);
    setTyped(writeInto(typed, changes, rowOf, isMonthly));
  };
  const undo = () => {
    setTyped(past.at(-1) ?? {});
    setPast(past.slice(0, -1));
  };
  const annualOf = (row: PriceRow, head: number | string) => priceIn(typed, row, Number(head));
  const textOf = (key: string, head: string) => {
    const row = rowOf.get(key);
    if (!row) return '';
    const annual = annualOf(row, head);
    if (typeof annual === 'string') return annual;
    if (annual === null) return '';
    return typedMoney(isMonthly ? Math.floor(annual / monthsOf(row, Number(head))) : annual);
  };
  const toSave = rowsToSave(typed, grid.rows);
  const amounts = toSave.reduce((sum, { cells }) => sum + cells.length, 0);
  const wrong = Object.values(typed).filter(isWrong).length;
  const isOfSeveral = new Set(grid.rows.map(({ of }) => of)).size > 1;
  const unpublished = grid.rows.filter(({ status, lines }) => status === 'Draft' && lines.length > 0);
  const drafts = unpublished.length;
  const ready = unpublished.filter(({ key }) => written.includes(key)).map(({ id }) => id);
  const save = async () => {
    // The server says who changed what; the sheet then shows it beside what was typed.
    if (!(await preview.show({ academicYearId: yearId, rows: toSave } as never))) readAgain();
  };
  const isChanged = Object.keys(typed).length > 0;
  const tools = grid.may.save && (
    <>
      <RaisePrices
        heads={heads}
        onRaise={(which, raise) => {
          const cells =
            which === 'selected'
              ? selected
              : grid.rows.flatMap(({ key }) =>
                  heads
                    .filter(({ id }) => which === 'all' || String(id) === which)
                    .map(({ id }) => ({ row: key, column: String(id) })),
                );
          const changes = cells.flatMap(({ row: key, column }) => {
            const row = rowOf.get(key);
            const paise = readMoney(textOf(key, column));
            if (!row || isLocked(row) || !paise) return [];
            return [{ row: key, column, text: typedMoney(raise(paise)) }];
          });
          if (changes.length > 0) change(changes);
          return changes.length;
        }}
      />
      {more.length > 0 && (
        <select
          className={classNames('box', styles.choice)}
          aria-label={t`Add a fee head`}
          value=""
          onChange={({ currentTarget: { value } }) => setAdded([...added, Number(value)])}
        >
          <option value="">{t`Add a fee head`}</option>
          {more.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </>
  );
  return (
    <Grid columns={1} gap={12}>
      <LeaveGuard isChanged={isChanged} />
      <Row gap={12} align="center" wrap>
        {year}
        <Segments
          label={t`Amounts`}
          value={isMonthly ? 'month' : 'year'}
          options={[
            { value: 'year', label: t`A year` },
            { value: 'month', label: t`A month` },
          ]}
          onChange={(value) => setMonthly(value === 'month')}
        />
        {!isPhone && tools}
      </Row>
      {isPhone && grid.may.save && (
        <Fold line={<Trans>Raise prices or add a fee head</Trans>}>
          <Row gap={12} align="end" wrap>
            {tools}
          </Row>
        </Fold>
      )}
      <GridSheet
        label={t`Prices`}
        corner={t`Grades`}
        rows={grid.rows.map((row) => {
          const name = row.grades || row.name;
          return {
            key: row.key,
            label: name,
            name: (
              <>
                {name} {isOfSeveral && <small>{row.of}</small>}{' '}
                {row.status !== 'Published' && <small className={styles.state}>{translateOption(row.status)}</small>}
              </>
            ),
            isLocked: isLocked(row),
            after: afterOf(row, totalOf(typed, row)),
          };
        })}
        columns={heads.map(({ id, name, frequency }) => ({ key: String(id), name, detail: frequency }))}
        after={[t`A year`, t`Rise`]}
        textOf={textOf}
        isChanged={(key, head) => `${key} ${head}` in typed}
        problemOf={(key, head) =>
          isWrong(typed[`${key} ${head}`] ?? '') ? t`Enter an amount, such as 1,25,000.50.` : undefined
        }
        aboutCell={(key, head) => {
          const row = rowOf.get(key);
          return row && <AboutPrice row={row} head={Number(head)} annual={annualOf(row, head)} heads={heads} />;
        }}
        onChange={change}
        onUndo={past.length > 0 ? undo : undefined}
        onSelect={setSelected}
      />
      {preview.problem}
      <Row gap={12} align="center" wrap>
        {grid.may.save && (
          <Button kind="main" isBusy={preview.isBusy} disabled={wrong > 0 || amounts === 0} onClick={() => void save()}>
            {wrong > 0 ? (
              <Plural value={wrong} one="# to correct" other="# to correct" />
            ) : (
              <Trans>Save as drafts…</Trans>
            )}
          </Button>
        )}
        {isChanged && past.length > 0 && (
          <Button onClick={undo}>
            <Trans>Undo</Trans>
          </Button>
        )}
        {amounts > 0 ? (
          <span>
            <Plural value={amounts} one="# amount changed" other="# amounts changed" />{' '}
            <Text as="span" tone="soft">
              <Plural value={toSave.length} one="in # structure" other="in # structures" />
            </Text>
          </span>
        ) : (
          <>
            {mayPublish && ready.length > 0 && ready.length <= mostPublished && (
              <PublishStructures selection={{ ids: ready, isAll: false, query: {} }} clear={() => setWritten([])} />
            )}
            {drafts > 0 && (
              <PageLink to="/school-erp/fee/fee-structure-allocation" search={{ part: 'structure', tab: 'draft' }}>
                <Plural value={drafts} one="# draft to publish" other="# drafts to publish" />
              </PageLink>
            )}
          </>
        )}
      </Row>
      <PreviewDialog
        preview={preview}
        title={t`Save these prices as drafts?`}
        confirm={<Trans>Save</Trans>}
        details={<Sums heads={preview.shown?.answer.heads ?? []} />}
        onApplied={() => {
          const saved = grid.rows.filter(({ id }) => toSave.some((row) => row.id === id));
          setWritten([...written, ...saved.map(({ key }) => key)]);
          setTyped({});
          setPast([]);
          toast({ kind: 'success', title: t`The drafts are ready to be published.` });
        }}
      >
        <Plural
          value={preview.shown?.answer.structures ?? 0}
          one="# draft is written. Families see nothing before it is published."
          other="# drafts are written. Families see nothing before they are published."
        />{' '}
        {(preview.shown?.answer.versions ?? 0) > 0 && (
          <Plural
            value={preview.shown?.answer.versions ?? 0}
            one="# is a new version of published prices."
            other="# are new versions of published prices."
          />
        )}
      </PreviewDialog>
    </Grid>
  );
}

/** A structure’s year and how much it rises; nothing while an amount of it is wrong. */
function afterOf(row: PriceRow, total: number | undefined) {
  if (total === undefined) return ['', ''];
  const before = row.before.reduce((sum, { annual }) => sum + annual, 0);
  return [<strong key="total">{typedMoney(total)}</strong>, before > 0 ? rise(before, total) : ''];
}

/** How much more that is, to a tenth of a percent. */
function rise(before: number, after: number): string {
  const tenths = Math.round(((after - before) * 1000) / before);
  if (tenths === 0) return '–';
  return `${tenths > 0 ? '+' : '-'}${(Math.abs(tenths) / 10).toFixed(1)} %`;
}

interface AboutProps {
  row: PriceRow;
  head: number;
  annual: number | string | null;
  heads: PriceGridOfYear['heads'];
}

function AboutPrice({ row, head, annual, heads }: AboutProps) {
  const { t } = useLingui();
  const before = row.before.find(({ feeHeadId }) => feeHeadId === head)?.annual;
  const months = monthsOf(row, head);
  const facts =
    typeof annual === 'number'
      ? [
          before === undefined ? '' : t`before ${showMoney(before)}`,
          before === undefined || before === annual ? '' : rise(before, annual),
          t`a month ${showMoney(Math.floor(annual / months))}`,
        ]
      : [before === undefined ? '' : t`before ${showMoney(before)}`];
  const name = heads.find(({ id }) => id === head)?.name ?? '';
  return (
    <>
      {row.grades || row.name}, {name}
      {facts
        .filter(Boolean)
        .map((fact) => ` · ${fact}`)
        .join('')}
    </>
  );
}

function Sums({ heads }: { heads: readonly { head: string; before: number; after: number; structures: number }[] }) {
  const { t } = useLingui();
  if (heads.length === 0) return <Trans>These are the saved amounts.</Trans>;
  const names = [t`Fee head`, t`Structures`, t`Before`, t`After`];
  return (
    <AmountTable
      caption={<Trans>Amounts of a year</Trans>}
      heads={names}
      amounts={names.slice(1)}
      rows={heads.map(({ head, before, after, structures }) => ({
        key: head,
        cells: [
          head,
          structures,
          <Text as="span" breaks="never" key="before">
            {showMoney(before)}
          </Text>,
          <Text as="strong" breaks="never" key="after">
            {showMoney(after)}
          </Text>,
        ],
      }))}
    />
  );
}
