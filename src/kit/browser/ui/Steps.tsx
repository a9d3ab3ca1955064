import { IconCheck } from '@tabler/icons-react';
import { Row } from './Layout.tsx';
import styles from './Steps.module.css';

interface Props {
  label: string;
  steps: readonly string[];
  /** The place of the current step; those before it are done. */
  current: number;
}

/** The steps of a record, of which one is current. */
export const Steps = ({ label, steps, current }: Props) => (
  <Row as="ol" gap="4 8" wrap tone="soft" className={styles.steps} aria-label={label}>
    {steps.map((step, place) => (
      <Row
        as="li"
        inline
        gap={4}
        align="center"
        breaks="anywhere"
        key={step}
        data-done={place < current || undefined}
        aria-current={place === current ? 'step' : undefined}
      >
        {place < current && <IconCheck size={14} aria-hidden />}
        {step}
      </Row>
    ))}
  </Row>
);
