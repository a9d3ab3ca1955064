import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import styles from './SortHead.module.css';

interface Props {
  name: string;
  label: string;
  /** What is shown of a long label. */
  head?: string;
  sort: string;
  isNumber?: boolean;
  onSort: (sort: string) => void;
}

/** A column head that sorts the list, and reverses the order at the second press. */
export function SortHead({ name, label, head = label, sort, isNumber, onSort }: Props) {
  const isUp = sort === name;
  const isDown = sort === `-${name}`;
  const Arrow = isDown ? IconArrowDown : IconArrowUp;
  return (
    <th
      scope="col"
      data-kind={isNumber ? 'number' : undefined}
      title={label}
      aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}
    >
      <button type="button" className={styles.sort} onClick={() => onSort(isUp ? `-${name}` : name)}>
        {head}
        {(isUp || isDown) && <Arrow size={14} aria-hidden />}
      </button>
    </th>
  );
}
