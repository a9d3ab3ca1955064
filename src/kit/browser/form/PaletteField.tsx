import { Swatch } from '#kit/browser/ui/Swatch.tsx';
import { colours } from '#kit/contract/palette.ts';
import styles from './PaletteField.module.css';
import { type Common, Questions, useQuestion } from './question.tsx';

/** One colour of the palette, each shown beside its name. */
export function PaletteField(props: Common) {
  const parts = useQuestion(props);
  const { name } = props;
  return (
    <Questions parts={parts}>
      <div className={styles.colours}>
        {colours.map((colour, index) => (
          <label key={colour} className={styles.colour}>
            <input
              type="radio"
              id={index === 0 ? name : `${name}-${index}`}
              name={name}
              value={colour}
              checked={parts.value === colour}
              onChange={() => parts.change(name, colour)}
            />
            <Swatch colour={colour} />
          </label>
        ))}
      </div>
    </Questions>
  );
}
