import { encode } from 'uqr';
import styles from './QrCode.module.css';

interface Props {
  /** What a camera reads. */
  text: string;
  label: string;
}

/** A QR code, dark on white in every theme, as cameras need it. */
export function QrCode({ text, label }: Props) {
  // The quiet zone around it is part of a code.
  const { size, data } = encode(text, { ecc: 'M', border: 4 });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={squares.join('')} />
    </svg>
  );
}
