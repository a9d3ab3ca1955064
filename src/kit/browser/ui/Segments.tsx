import { useId } from 'react';
import { Row } from './Layout.tsx';
import styles from './Segments.module.css';

interface Props<Value extends string> {
  /** What is chosen, for screen readers. */
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

/** One of two or three short choices in a box. */
export function Segments<Value extends string>({ label, value, options, onChange }: Props<Value>) {
  const name = useId();
  return (
    <Row as="fieldset" className={styles.segments} aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={styles.segment}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.label}
        </label>
      ))}
    </Row>
  );
}
