import { ChoiceRow, ChoiceRows } from '#kit/browser/form/choices.tsx';
import { Questions, useQuestion } from '#kit/browser/form/question.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { polarities } from '../contract/words.ts';

/** Positive, neutral or concern: by the first letter too. */
export function PolarityField() {
  const parts = useQuestion({ name: 'polarity' });
  return (
    <Questions parts={parts}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the radios in it take the keys. */}
      <div
        onKeyDown={({ key, altKey, ctrlKey, metaKey }) => {
          if (altKey || ctrlKey || metaKey) return;
          const found = polarities.find((word) => translateOption(word).charAt(0).toLowerCase() === key.toLowerCase());
          if (found) parts.change('polarity', found);
        }}
      >
        <ChoiceRows columns="many">
          {polarities.map((word, index) => (
            <ChoiceRow
              key={word}
              type="radio"
              id={index === 0 ? 'polarity' : `polarity-${index}`}
              name="polarity"
              value={word}
              label={translateOption(word)}
              checked={parts.value === word}
              onChange={() => parts.change('polarity', word)}
            />
          ))}
        </ChoiceRows>
      </div>
    </Questions>
  );
}
