import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { asDigits } from '#kit/contract/typed.ts';
import styles from './MonthsField.module.css';
import { type Common, Questions, useQuestion } from './question.tsx';

/** Two boxes for years and months that together hold a number of months. */
export function MonthsField(props: Common) {
  const { t } = useLingui();
  const question = useQuestion(props);
  const { value, error, change } = question;
  const [typed, setTyped] = useState(() => partsOf(String(value ?? '')));
  const put = (part: keyof typeof typed, words: string) => {
    const next = { ...typed, [part]: words };
    setTyped(next);
    change(props.name, monthsOf(next));
  };
  const box = (part: keyof typeof typed, words: string) => (
    <Row as="label" gap={8} align="center" weight={400} className={styles.part} htmlFor={`${props.name}-${part}`}>
      <input
        className="box"
        id={`${props.name}-${part}`}
        name={props.name}
        value={typed[part]}
        inputMode="numeric"
        autoComplete="off"
        maxLength={10}
        aria-invalid={Boolean(error)}
        onChange={({ currentTarget }) => put(part, currentTarget.value)}
      />
      {words}
    </Row>
  );
  return (
    <Questions parts={question}>
      <Row gap="8 16" wrap>
        {box('years', t`years`)}
        {box('months', t`months`)}
      </Row>
    </Questions>
  );
}

function partsOf(value: string) {
  const months = Number(value);
  if (value === '' || !Number.isInteger(months)) return { years: '', months: '' };
  return { years: String(Math.floor(months / 12)), months: months % 12 === 0 ? '' : String(months % 12) };
}

/** The months as text. A word instead of a number stays as typed, and the form refuses it. */
function monthsOf({ years, months }: Record<'years' | 'months', string>): string {
  const parts = [years, months].map((part) => asDigits(part.trim()));
  if (parts.every((part) => part === '')) return '';
  const wrong = parts.find((part) => !/^[0-9]*$/.test(part));
  return wrong ?? String(12 * Number(parts[0]) + Number(parts[1]));
}
