import { initialsOf } from '#kit/contract/initials.ts';
import { colours } from '#kit/contract/palette.ts';
import styles from './Initials.module.css';
import palette from './palette.module.css';

interface Props {
  name: string;
  /** The address of a photo, or '' where there is none. */
  picture?: string;
  /** In pixels. */
  size?: number;
}

/** A person's photo or initials beside their name, hidden from screen readers. */
export const Initials = ({ name, picture, size = 28 }: Props) =>
  picture ? (
    <img className={styles.photo} src={picture} alt="" width={size} height={size} />
  ) : (
    <svg
      className={`${styles.initials} ${palette[colourOf(name)]}`}
      width={size}
      height={size}
      viewBox="0 0 28 28"
      aria-hidden
    >
      <circle cx="14" cy="14" r="14" />
      <text x="14" y="14">
        {initialsOf(name)}
      </text>
    </svg>
  );

const colourOf = (name: string) => {
  const sum = [...name].reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7);
  return colours[sum % colours.length] ?? 'Grey';
};
