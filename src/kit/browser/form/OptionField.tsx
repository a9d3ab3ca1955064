import { ReadFailed } from '#kit/browser/data/QueryBoundary.tsx';
import { useOptions } from '#kit/browser/list/options.ts';
import { Combobox } from '#kit/browser/ui/Combobox.tsx';
import type { OptionsEndpoint } from '#kit/contract/field.ts';
import { SelectField } from './fields.tsx';
import { type Common, Question, useQuestion } from './question.tsx';
import { useOnly } from './use-only.ts';

interface Props extends Common {
  /** The operation that lists the entries. */
  options: OptionsEndpoint;
  /** The id of an entry that is not offered. */
  without?: string;
  /** Always a search box: the words that users type are not those that the names begin with. */
  isTyped?: boolean;
}

/** A choice from a list that the server keeps: a native list while it is short, else a search box. The only answer is filled in, but no person. */
export function OptionField({ options, without, isTyped = false, ...common }: Props) {
  const parts = useQuestion(common);
  const { name } = common;
  const value = String(parts.value ?? '');
  const { entries, isMany, only: onlyOne, chosen, failed, pick } = useOptions({ options, value, without });
  useOnly(parts, name, onlyOne);
  if (failed) {
    return (
      <Question parts={parts}>
        <ReadFailed query={failed} />
      </Question>
    );
  }
  if (!isMany && !isTyped) return <SelectField {...common} options={entries} fillsOnly={false} />;
  return (
    <Question parts={parts}>
      <Combobox
        id={name}
        name={name}
        options={options}
        without={without}
        aria-invalid={Boolean(parts.error)}
        aria-describedby={parts.described}
        chosen={chosen}
        onChoose={(choice) => {
          pick(choice);
          parts.change(name, choice?.value ?? '');
        }}
      />
    </Question>
  );
}
