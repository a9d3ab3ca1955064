import { useLingui } from '@lingui/react/macro';
import { Grid, Row } from '#kit/browser/ui/Layout.tsx';
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
      <Grid gap={8} mt={8} className={styles.colours}>
        {choices.map((colour, index) => (
          <Row as="label" gap={8} align="center" key={colour} className={styles.colour}>
            <input
              type="radio"
              id={index === 0 ? name : `${name}-${index}`}
              name={name}
              value={colour}
              checked={chosen === colour}
              onChange={() => parts.change(name, colour)}
            />
            {colour ? <Swatch colour={colour} /> : t`None`}
          </Row>
        ))}
      </Grid>
    </Questions>
  );
}
