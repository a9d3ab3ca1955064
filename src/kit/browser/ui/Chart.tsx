import { Trans } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import { translate } from '#kit/browser/text.ts';
import { showMoney, showPercent } from '#kit/contract/money.ts';
import type { Chart as ChartData } from '#kit/contract/served-card.ts';
import { showNumber } from '#kit/contract/text.ts';
import { CardTable } from './CardTable.tsx';
import styles from './Chart.module.css';
import { Row } from './Layout.tsx';

const Drawing = lazy(async () => ({ default: (await import('./ChartDrawing.tsx')).ChartDrawing }));

const shown = { number: showNumber, money: showMoney, percent: showPercent };

/** Values as bars or lines, with the sentence that says the whole of it and the table of its values, folded. */
export function Chart({ chart }: { chart: ChartData }) {
  const { says, series, points, head, unit } = chart;
  const show = (value: number | null | undefined) => (typeof value === 'number' ? shown[unit](value) : '–');
  return (
    <figure className={styles.figure}>
      {series.length > 1 && (
        <Row as="figcaption" gap="0 16" wrap tone="soft" size={13} className={styles.legend} aria-hidden>
          {series.map(({ label, tone }, index) => (
            <span
              key={translate(label)}
              data-tone={tone}
              data-line={chart.kind === 'line' || undefined}
              data-index={index}
            >
              {translate(label)}
            </span>
          ))}
        </Row>
      )}
      <div className={styles.drawing} role="img" aria-label={translate(says)}>
        <Suspense fallback={null}>
          <Drawing chart={chart} />
        </Suspense>
      </div>
      <details className={styles.table}>
        <summary>
          <Trans>Show the table</Trans>
        </summary>
        <CardTable
          className={styles.values}
          caption={translate(says)}
          heads={[translate(head), ...series.map(({ label }) => translate(label))]}
          rows={points.map(({ label, values }, index) => ({
            key: index,
            cells: [translate(label), ...series.map((_, place) => show(values[place]))],
          }))}
        />
      </details>
    </figure>
  );
}
