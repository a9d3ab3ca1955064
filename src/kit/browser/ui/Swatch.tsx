import { translateOption } from '#kit/browser/text.ts';
import type { Colour } from '#kit/contract/palette.ts';
import { Row } from './Layout.tsx';
import palette from './palette.module.css';
import styles from './Swatch.module.css';

interface Props {
  colour: Colour;
}

/** A colour of the palette with its name. */
export const Swatch = ({ colour }: Props) => (
  <Row as="span" inline gap={6} align="baseline">
    <span className={`${styles.dot} ${palette[colour]}`} aria-hidden />
    {translateOption(colour)}
  </Row>
);
