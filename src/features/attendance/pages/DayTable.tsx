import type { ReactNode } from 'react';
import { Table } from '#kit/browser/ui/Layout.tsx';
import { ScrollFrame } from '#kit/browser/ui/ScrollFrame.tsx';
import styles from './DailyAttendancePage.module.css';

interface TableProps {
  label: string;
  heads: readonly string[];
  rows: readonly { key: number; cells: readonly ReactNode[] }[];
  /** The places of columns with numbers. */
  numbers?: readonly number[];
}

/** A table of the day, which scrolls on a phone. */
export function DayTable({ label, heads, rows, numbers = [] }: TableProps) {
  const kindOf = (index: number) => (numbers.includes(index) ? 'number' : undefined);
  return (
    <ScrollFrame label={label}>
      <Table className={styles.table}>
        <thead>
          <tr>
            {heads.map((head, index) => (
              <th key={head} scope="col" data-kind={kindOf(index)}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, index) => (
                <td key={heads[index]} data-kind={kindOf(index)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </ScrollFrame>
  );
}
