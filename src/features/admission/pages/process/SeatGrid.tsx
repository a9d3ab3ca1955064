import { Trans, useLingui } from '@lingui/react/macro';
import { IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { translateOption } from '#kit/browser/text.ts';
import { List, Row, Table } from '#kit/browser/ui/Layout.tsx';
import { ScrollFrame } from '#kit/browser/ui/ScrollFrame.tsx';
import { showNumber } from '#kit/contract/text.ts';
import type { SeatPlanOfYear, SeatRow } from '../../contract/seat.ts';
import { SeatCell } from './SeatCell.tsx';
import styles from './SeatGrid.module.css';
import { gradesOf } from './seat-sums.ts';

interface Props {
  plan: SeatPlanOfYear;
  onOpen: (rows: readonly SeatRow[]) => void;
}

const steps: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Free seats of all that are planned, one number a cell. Arrows walk, Enter opens a cell, E changes its plan, O offers. */
export function SeatGrid({ plan, onOpen, onOffer }: Props & { onOffer: (() => void) | undefined }) {
  const { t } = useLingui();
  const table = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState('');
  const { grades, columns, all } = gradesOf(plan);
  const first = String(grades[0]?.rows[0]?.id ?? '');
  const isHere = plan.rows.some(({ id }) => String(id) === at);
  const walk = (event: KeyboardEvent, line: number, column: number) => {
    if ((event.target as Element).matches('input')) return;
    if (event.key === 'o' && onOffer && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      return onOffer();
    }
    const step = steps[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    // Cells without seats are passed over.
    for (let [y, x] = [line + step[0], column + step[1]]; grades[y] && columns[x]; y += step[0], x += step[1]) {
      const cell = table.current?.querySelector<HTMLElement>(`[data-cell="${y} ${x}"]`);
      if (cell) return cell.focus();
    }
  };
  return (
    <div className={styles.grid}>
      <ScrollFrame label={t`Seats`}>
        <Table className={styles.table} ref={table}>
          <thead>
            <tr>
              <th scope="col">
                <Trans>Grade</Trans>
              </th>
              {columns.map(({ quota }) => (
                <th key={quota} scope="col" data-kind="number">
                  {translateOption(quota)}
                </th>
              ))}
              <th scope="col" data-kind="number">
                <Trans>All</Trans>
              </th>
              <th scope="col" data-kind="number">
                <Trans>Waiting</Trans>
              </th>
              <th scope="col" data-kind="number">
                <Trans>To offer</Trans>
              </th>
            </tr>
          </thead>
          <tbody>
            {grades.map(({ key, name, of, rows, sums }, line) => (
              <tr key={key}>
                <th scope="row">
                  {name} {of && <span className="soft">{of}</span>}
                </th>
                {columns.map(({ quota }, column) => {
                  const row = rows.find((one) => one.quota === quota);
                  return (
                    <td key={quota} data-kind="number" onKeyDown={(event) => walk(event, line, column)}>
                      {row && (
                        <SeatCell
                          row={row}
                          place={`${line} ${column}`}
                          isStop={String(row.id) === (isHere ? at : first)}
                          mayPlan={plan.may.plan}
                          onFocus={() => setAt(String(row.id))}
                          onOpen={() => onOpen([row])}
                        />
                      )}
                    </td>
                  );
                })}
                <td data-kind="number" className={styles.all}>
                  <strong>{sums.free ? showNumber(sums.free) : <Trans>Full</Trans>}</strong>{' '}
                  <small>
                    <Trans>of {showNumber(sums.total)}</Trans>
                  </small>
                </td>
                <td data-kind="number">{sums.waiting || ''}</td>
                <td data-kind="number" className={styles.offer}>
                  {sums.toOffer || ''}
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">
                <Trans>All grades</Trans>
              </th>
              {columns.map(({ quota, sums }) => (
                <td key={quota} data-kind="number">
                  {sums.free ? showNumber(sums.free) : ''}
                </td>
              ))}
              <td data-kind="number" className={styles.all}>
                {showNumber(all.free)}{' '}
                <small>
                  <Trans>of {showNumber(all.total)}</Trans>
                </small>
              </td>
              <td data-kind="number">{all.waiting || ''}</td>
              <td data-kind="number" className={styles.offer}>
                {all.toOffer || ''}
              </td>
            </tr>
          </tfoot>
        </Table>
      </ScrollFrame>
      <Row as="p" gap="4 16" wrap mt={12} tone="soft" size={13} className={styles.keys}>
        <span>
          <kbd>↑</kbd> <kbd>→</kbd> <Trans>walk</Trans>
        </span>
        <span>
          <kbd>Enter</kbd> <Trans>seats given and waiting list</Trans>
        </span>
        {plan.may.plan && (
          <span>
            <kbd>E</kbd> <Trans>change the plan</Trans>
          </span>
        )}
        {onOffer && (
          <span>
            <kbd>O</kbd> <Trans>offer</Trans>
          </span>
        )}
      </Row>
    </div>
  );
}

/** On a phone: the free seats of each grade with a bar; a row opens its quotas. */
export function GradesWithSeats({ plan, onOpen }: Props) {
  const { grades, all } = gradesOf(plan);
  return (
    <section className={styles.phone}>
      <Row gap={8} align="baseline" justify="between" mb={4}>
        <h2>
          <Trans>Free seats</Trans>
        </h2>
        <span className="soft">
          <Trans>
            {showNumber(all.free)} of {showNumber(all.total)}
          </Trans>
        </span>
      </Row>
      <List>
        {grades.map(({ key, name, of, rows, sums }) => (
          <li key={key}>
            <Row as="button" type="button" gap={12} align="center" line="hair-above" onClick={() => onOpen(rows)}>
              <span className={styles.name}>
                {name} {of && <span className="soft">{of}</span>}
              </span>
              <Bar given={sums.total - sums.free} of={sums.total} />
              <span className={styles.free}>
                {sums.free > 0 ? <Trans>{sums.free} free</Trans> : <Trans>Full</Trans>}
              </span>
              <IconChevronRight size={16} aria-hidden />
            </Row>
          </li>
        ))}
      </List>
    </section>
  );
}

const Bar = ({ given, of }: { given: number; of: number }) => (
  <svg className={styles.bar} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden>
    <rect width="100" height="6" />
    <rect width={of > 0 ? (given / of) * 100 : 0} height="6" />
  </svg>
);
