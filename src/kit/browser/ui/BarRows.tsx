import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import styles from './BarRows.module.css';
import { ServedLink } from './PageLink.tsx';

export interface BarRow {
  key: string;
  label: string;
  /** Decides the length of the bar. */
  value: number;
  /** The value as it is read. */
  shown: ReactNode;
  /** How many it is of, before the value. */
  count?: ReactNode;
  /** The address of its list. */
  to?: string;
}

interface Props {
  /** The whole of it in a sentence. */
  says: string;
  rows: readonly BarRow[];
  total?: Pick<BarRow, 'shown' | 'count'>;
}

/** Values under each other, each with a bar as long as its part of the largest one, and their sum. */
export const BarRows = ({ says, rows, total }: Props) => {
  const most = Math.max(1, ...rows.map(({ value }) => value));
  const hasCount = rows.some(({ count }) => count !== undefined);
  return (
    <table className={styles.bars} aria-label={says}>
      <tbody>
        {rows.map(({ key, label, value, shown, count, to }) => (
          <tr key={key}>
            <th scope="row">
              {to ? (
                <ServedLink className="quiet-link" to={to}>
                  {label}
                </ServedLink>
              ) : (
                label
              )}
            </th>
            <td className={styles.bar} aria-hidden>
              <span style={{ width: `${(Math.max(0, value) / most) * 100}%` }} />
            </td>
            {hasCount && <td className={styles.count}>{count}</td>}
            <td>{shown}</td>
          </tr>
        ))}
      </tbody>
      {total && (
        <tfoot>
          <tr>
            <th scope="row">
              <Trans>All</Trans>
            </th>
            <td aria-hidden />
            {hasCount && <td className={styles.count}>{total.count}</td>}
            <td>{total.shown}</td>
          </tr>
        </tfoot>
      )}
    </table>
  );
};
