import { initialsOf } from '#kit/contract/initials.ts';
import { colours } from '#kit/contract/palette.ts';
import styles from './Initials.module.css';
import palette from './palette.module.css';

interface Props {
  name: string;
  /** The address of a photo, or '' where there is none. */
  picture?: string;
}

/** A person's photo or initials beside their name, hidden from screen readers. */
export const Initials = ({ name, picture }: Props) => <Face name={name} picture={picture} width={28} height={28} />;

/** The same at the head of a record, as large as a photo on a form. */
export const Portrait = ({ name, picture }: Props) => (
  <Face name={name} picture={picture} width={72} height={90} isLarge />
);

interface FaceProps extends Props {
  width: number;
  height: number;
  isLarge?: boolean;
}

const Face = ({ name, picture, width, height, isLarge }: FaceProps) => {
  const size = isLarge ? styles.portrait : styles.round;
  return picture ? (
    <img className={`${styles.photo} ${size}`} src={picture} alt="" width={width} height={height} />
  ) : (
    <span className={`${styles.initials} ${size} ${palette[colourOf(name)]}`} aria-hidden>
      {initialsOf(name)}
    </span>
  );
};

const colourOf = (name: string) => {
  const sum = [...name].reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7);
  return colours[sum % colours.length] ?? 'Grey';
};
