import { Trans, useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { ChoiceRow, ChoiceRows } from './choices.tsx';

export interface ReasonedChoice {
  key: string;
  label: string;
  /** It is given with a reason alone. */
  needsReason?: boolean;
}

/** Which choices are ticked, and the reason where one of them needs it. */
export function useChoicesWithReason(choices: readonly ReasonedChoice[], first: readonly string[]) {
  const [chosen, setChosen] = useState(first);
  const [words, setWords] = useState('');
  const needsReason = choices.some(({ key, needsReason }) => needsReason && chosen.includes(key));
  return { choices, chosen, setChosen, words, setWords, needsReason, reason: needsReason ? words : '' };
}

/** Ticks for what is taken out of the product, and a box for the reason once a choice needs one. */
export function ChoicesWithReason({ of }: { of: ReturnType<typeof useChoicesWithReason> }) {
  const { t } = useLingui();
  const { choices, chosen, setChosen, words, setWords, needsReason } = of;
  const id = useId();
  return (
    <>
      <ChoiceRows>
        {choices.map(({ key, label, needsReason }) => (
          <ChoiceRow
            key={key}
            type="checkbox"
            id={`${id}-${key}`}
            label={label}
            hint={needsReason ? t`Needs a reason` : undefined}
            checked={chosen.includes(key)}
            onChange={(isOn) => setChosen(isOn ? [...chosen, key] : chosen.filter((other) => other !== key))}
          />
        ))}
      </ChoiceRows>
      {needsReason && (
        <p>
          <label htmlFor={`${id}-reason`}>
            <Trans>Reason</Trans>
          </label>
          <textarea
            id={`${id}-reason`}
            maxLength={300}
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
          <span className="soft">
            <Trans>The audit log keeps it.</Trans>
          </span>
        </p>
      )}
    </>
  );
}
