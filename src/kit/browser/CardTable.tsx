import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';

interface Row {
  key: number;
  cells: string[];
  /** What can be done with this row; each names the row for those who cannot see it. */
  actions: ReactNode;
}

/** A short table that turns into cards on a narrow screen. */
export function CardTable({ caption, heads, rows }: { caption: ReactNode; heads: string[]; rows: Row[] }) {
  return (
    <table className="cards">
      <caption className="only-read">{caption}</caption>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
          <th scope="col">
            <span className="only-read">
              <Trans>Actions</Trans>
            </span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells, actions }) => (
          <tr key={key}>
            {cells.map((cell, index) => (
              <td key={heads[index]} data-head={heads[index]}>
                {cell}
              </td>
            ))}
            <td>{actions}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
