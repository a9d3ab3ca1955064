import { useLingui } from '@lingui/react/macro';
import { Swatch } from '#kit/browser/ui/Swatch.tsx';
import { colours } from '#kit/contract/palette.ts';
import styles from './ColourField.module.css';
import { type Common, Questions, useQuestion } from './question.tsx';

/** A colour of the palette, chosen from what it looks like and is called. */
export function ColourField(common: Common) {
  const { t } = useLingui();
  const parts = useQuestion(common);
  const { name } = common;
  const chosen = String(parts.value ?? '');
  const choices = parts.isOptional ? ([...colours, ''] as const) : colours;
  return (
    <Questions parts={parts}>
      <div className={styles.colours}>
        {choices.map((colour, index) => (
          <label key={colour} className={styles.colour}>
            <input
              type="radio"
              id={index === 0 ? name : undefined}
              name={name}
              value={colour}
              checked={chosen === colour}
              onChange={() => parts.change(name, colour)}
            />
            {colour ? <Swatch colour={colour} /> : t`None`}
          </label>
        ))}
      </div>
    </Questions>
  );
}
