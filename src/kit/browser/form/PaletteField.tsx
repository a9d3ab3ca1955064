import { useLingui } from '@lingui/react/macro';
import { Swatch } from '#kit/browser/ui/Swatch.tsx';
import { colours } from '#kit/contract/palette.ts';
import styles from './PaletteField.module.css';
import { type Common, Questions, useQuestion } from './question.tsx';

/** One colour of the palette, each shown beside its name; none where the field is optional. */
export function PaletteField(props: Common) {
  const { t } = useLingui();
  const parts = useQuestion(props);
  const { name } = props;
  const chosen = String(parts.value ?? '');
  const choices = parts.isOptional ? ([...colours, ''] as const) : colours;
  return (
    <Questions parts={parts}>
      <div className={styles.colours}>
        {choices.map((colour, index) => (
          <label key={colour} className={styles.colour}>
            <input
              type="radio"
              id={index === 0 ? name : `${name}-${index}`}
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
