import { Trans } from '@lingui/react/macro';
import { type ComponentProps, Fragment, type ReactNode } from 'react';
import styles from './CardTable.module.css';
import { VisuallyHidden } from './VisuallyHidden.tsx';

interface Row {
  key: number | string;
  cells: ReactNode[];
  /** The actions on this row; each names the row for screen readers. */
  actions?: ReactNode;
  /** More about it, in a row of its own below, as wide as the table. */
  below?: ReactNode;
  /** Attributes of its `tr`, such as those of `rowOpen`. */
  attributes?: ComponentProps<'tr'>;
}

interface Props {
  caption: ReactNode;
  heads: string[];
  rows: Row[];
  /** The class of a list with its own style, such as column widths. */
  className?: string;
}

/** A table that turns into cards on a narrow screen. */
export function CardTable({ caption, heads, rows, className = styles.cards }: Props) {
  const hasActions = rows.some(({ actions }) => actions !== undefined);
  return (
    <table className={className}>
      <VisuallyHidden as="caption">{caption}</VisuallyHidden>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
          {hasActions && (
            <th scope="col">
              <VisuallyHidden>
                <Trans>Actions</Trans>
              </VisuallyHidden>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells, actions, below, attributes }) => (
          <Fragment key={key}>
            <tr {...attributes}>
              {cells.map((cell, index) => (
                <td key={heads[index]} data-head={heads[index]}>
                  {cell}
                </td>
              ))}
              {hasActions && <td>{actions}</td>}
            </tr>
            {below && (
              <tr>
                <td colSpan={heads.length + (hasActions ? 1 : 0)}>{below}</td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}
