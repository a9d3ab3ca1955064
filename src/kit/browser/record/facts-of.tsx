import type { ReactNode } from 'react';
import { BreakableText } from '#kit/browser/ui/BreakableText.tsx';
import { PhoneLink } from '#kit/browser/ui/PhoneLink.tsx';
import { type Field, type Fields, namesOf, type Stored } from '#kit/contract/field.ts';
import { translate } from '../text.ts';
import type { Fact } from './Facts.tsx';
import { showValue } from './show-value.tsx';

interface More<Some extends Fields> {
  /** The names of the rows that fields point to. */
  names?: Partial<Record<keyof Some, string>>;
  /** How this card shows a value, by field. */
  show?: Partial<Record<keyof Some, (value: string) => ReactNode>>;
}

/** What a record says in some fields, each value with its label. */
export const factsOf = <Some extends Fields>(
  fields: Some,
  values: Partial<Stored<Some>>,
  { names = {}, show = {} }: More<Some> = {},
): Fact[] =>
  namesOf(fields).map((name) => {
    const field = fields[name] as Field;
    const words = showValue(field, values[name], names[name]);
    return { label: translate(field.label), value: show[name]?.(words) ?? plain(field, words) };
  });

function plain({ kind }: Field, words: string): ReactNode {
  if (kind === 'email' && words) return <BreakableText text={words} />;
  return kind === 'mobile' && words ? <PhoneLink mobile={words} /> : words;
}
