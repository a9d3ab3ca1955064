import { useLingui } from '@lingui/react/macro';
import { IconFilter } from '@tabler/icons-react';
import type { ReactNode, Ref } from 'react';
import { Button } from '#kit/browser/ui/Button.tsx';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { Row } from '#kit/browser/ui/Layout.tsx';
import styles from './Filters.module.css';

interface FiltersProps {
  /** Whether buttons stand in the same line. */
  isInHead?: boolean;
  className?: string;
  children: ReactNode;
}

/** What a list is narrowed by, in a line that wraps. */
export const Filters = ({ isInHead, className, children }: FiltersProps) => (
  <Row gap="8 12" align="end" wrap className={classNames(styles.filters, isInHead && styles.head, className)}>
    {children}
  </Row>
);

interface FilterProps {
  /** The id of its control. */
  id: string;
  label: string;
  children: ReactNode;
}

/** A control of such a line below its label. */
export const Filter = ({ id, label, children }: FilterProps) => (
  <div className={styles.filter}>
    <label htmlFor={id}>{label}</label>
    {children}
  </div>
);

interface ButtonProps {
  ref?: Ref<HTMLButtonElement>;
  /** How many filters are set. */
  count: number;
  isOpen: boolean;
  onToggle: () => void;
}

/** On a phone, opens filters that are folded away. */
export function FiltersButton({ ref, count, isOpen, onToggle }: ButtonProps) {
  const { t } = useLingui();
  return (
    <Button ref={ref} className={styles.toggle} aria-expanded={isOpen} onClick={onToggle}>
      <IconFilter size={18} aria-hidden />
      {count > 0 ? t`Filters: ${count} set` : t`Filters`}
    </Button>
  );
}
