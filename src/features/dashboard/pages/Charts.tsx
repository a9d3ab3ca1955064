import { useId } from 'react';
import { translate } from '#kit/browser/text.ts';
import { BarRows } from '#kit/browser/ui/BarRows.tsx';
import { Chart } from '#kit/browser/ui/Chart.tsx';
import { ServedLink } from '#kit/browser/ui/PageLink.tsx';
import { showNumber } from '#kit/contract/text.ts';
import type { Bars, DashboardChart } from '../contract.ts';
import styles from './Charts.module.css';
import { shown } from './TodayLine.tsx';

/** A chart with its title, which opens the page with the whole of it. */
export function ChartCard({ chart: { title, to, drawing } }: { chart: DashboardChart }) {
  const heading = useId();
  return (
    <section className={styles.chart} aria-labelledby={heading}>
      <h2 id={heading}>
        <ServedLink className="quiet-link" to={`/school-erp/${to}`}>
          {translate(title)}
        </ServedLink>
      </h2>
      <p className="soft">{translate(drawing.says)}</p>
      {drawing.kind === 'rows' ? <Rows bars={drawing} /> : <Chart chart={drawing} />}
    </section>
  );
}

function Rows({ bars: { says, unit, rows, total } }: { bars: Bars }) {
  const read = ({ value, count }: { value: number; count?: number | undefined }) => ({
    shown: shown[unit](value),
    ...(count !== undefined && { count: showNumber(count) }),
  });
  return (
    <BarRows
      says={translate(says)}
      rows={rows.map(({ label, value, count, to }) => ({
        key: label.id + JSON.stringify(label.values ?? ''),
        label: translate(label),
        value,
        ...read({ value, count }),
        ...(to && { to: `/school-erp/${to}` }),
      }))}
      {...(total && { total: read(total) })}
    />
  );
}
