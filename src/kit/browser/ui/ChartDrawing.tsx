import { AxisBottom, AxisLeft } from '@visx/axis';
import { Group } from '@visx/group';
import { scaleBand, scaleLinear } from '@visx/scale';
import { Bar, LinePath } from '@visx/shape';
import { useEffect, useRef, useState } from 'react';
import { translate } from '#kit/browser/text.ts';
import { wholePercent } from '#kit/contract/money.ts';
import type { Chart } from '#kit/contract/served-card.ts';
import styles from './Chart.module.css';

const height = 132;
const usualWidth = 476;
const room = { top: 8, bottom: 28, left: 52 };
/** A label of the axis below needs so much, with the gap beside it. */
const labelWidth = 64;

/** Short words for the axis: 1.2L of 1,20,000. */
const short = new Intl.NumberFormat('en-IN', { notation: 'compact', maximumFractionDigits: 1 });
const shown = {
  number: (value: number) => short.format(value),
  money: (value: number) => `₹${short.format(value / 100)}`,
  percent: (value: number) => `${short.format(value / 100)} %`,
};

/** What a chart draws, as wide as its place. It is loaded with the first chart of a page. */
export function ChartDrawing({ chart: { kind, series, points, unit } }: { chart: Chart }) {
  const { ref, width } = useWidth();
  const inner = Math.max(width - room.left, 1);
  const bottom = height - room.bottom;
  const across = scaleBand({
    domain: points.map((_, index) => index),
    range: [0, inner],
    padding: kind === 'bars' ? 0.3 : 0,
  });
  const beside = scaleBand({ domain: series.map((_, index) => index), range: [0, across.bandwidth()], padding: 0.1 });
  const values = points.flatMap((point) => point.values).filter((value) => value !== null);
  const up = scaleLinear({
    // A share moves by little: its axis shows where it moves.
    domain:
      kind === 'line' && unit === 'percent' && values.length > 0
        ? [Math.min(...values) - wholePercent / 100, Math.min(wholePercent, Math.max(...values) + wholePercent / 100)]
        : [Math.min(0, ...values), Math.max(1, ...values)],
    range: [bottom, room.top],
    nice: true,
  });
  const every = Math.max(1, Math.ceil((points.length * labelWidth) / inner));
  const middle = (index: number) => (across(index) ?? 0) + across.bandwidth() / 2;
  const marks = points.flatMap((point, index) =>
    series.flatMap(({ tone }, place) => {
      const value = point.values[place] ?? null;
      return value === null ? [] : [{ key: `${index} ${place}`, index, place, tone, value }];
    }),
  );
  return (
    <div ref={ref}>
      <svg width={width} height={height} className={styles.svg} aria-hidden>
        <Group left={room.left}>
          <AxisLeft
            scale={up}
            numTicks={4}
            hideAxisLine
            hideTicks
            tickFormat={(value) => shown[unit](Number(value))}
            tickLabelProps={{ className: styles.label, dx: -4, dy: 4, textAnchor: 'end' }}
          />
          {up.ticks(4).map((value) => (
            <line key={value} className={styles.rule} x1={0} x2={inner} y1={up(value)} y2={up(value)} />
          ))}
          {kind === 'bars' &&
            marks.map(({ key, index, place, tone, value }) => (
              <Bar
                key={key}
                className={styles.bar}
                data-tone={tone}
                x={(across(index) ?? 0) + (beside(place) ?? 0)}
                y={Math.min(up(value), up(0))}
                width={beside.bandwidth()}
                height={Math.abs(up(value) - up(0))}
              />
            ))}
          {kind === 'line' &&
            series.map(({ tone, label }, place) => (
              <LinePath
                key={translate(label)}
                className={styles.line}
                data-tone={tone}
                data-index={place}
                data={points.map((point, index) => ({ index, value: point.values[place] ?? null }))}
                defined={({ value }) => value !== null}
                x={({ index }) => middle(index)}
                y={({ value }) => up(value ?? 0)}
              />
            ))}
          {kind === 'line' &&
            marks.map(({ key, index, tone, value }) => (
              <circle key={key} className={styles.dot} data-tone={tone} cx={middle(index)} cy={up(value)} r={3} />
            ))}
          <AxisBottom
            scale={across}
            top={bottom}
            hideTicks
            stroke="currentcolor"
            axisLineClassName={styles.base}
            tickValues={points.map((_, index) => index).filter((index) => index % every === 0)}
            tickFormat={(index) => translate(points[Number(index)]?.label ?? noLabel)}
            // A label in the middle of the last point would end outside the drawing.
            tickLabelProps={(index) => ({
              className: styles.label,
              textAnchor: middle(Number(index)) > inner - labelWidth / 2 ? 'end' : 'middle',
              dx: middle(Number(index)) > inner - labelWidth / 2 ? across.bandwidth() / 2 : 0,
            })}
          />
        </Group>
      </svg>
    </div>
  );
}

const noLabel = { id: '' };

/** The width of an element, followed while it changes. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(usualWidth);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth) || usualWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
