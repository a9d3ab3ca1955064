import { IconCheck } from '@tabler/icons-react';
import styles from './Steps.module.css';

interface Props {
  label: string;
  steps: readonly string[];
  /** The place of the current step; those before it are done. */
  current: number;
}

/** The steps of a record, of which one is current. */
export const Steps = ({ label, steps, current }: Props) => (
  <ol className={styles.steps} aria-label={label}>
    {steps.map((step, place) => (
      <li key={step} data-done={place < current || undefined} aria-current={place === current ? 'step' : undefined}>
        {place < current && <IconCheck size={14} aria-hidden />}
        {step}
      </li>
    ))}
  </ol>
);
