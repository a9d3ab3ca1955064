import type { ComponentPropsWithRef, ComponentType } from 'react';
import { classNames } from './class-names.ts';
import styles from './Layout.module.css';

type Tag =
  | ('div' | 'section' | 'header' | 'footer' | 'nav' | 'aside' | 'article' | 'search' | 'figure' | 'form' | 'fieldset')
  | ('ul' | 'ol' | 'li' | 'dl' | 'dt' | 'dd' | 'p' | 'h2' | 'h3' | 'figcaption' | 'td' | 'th')
  | ('span' | 'small' | 'strong' | 'b' | 'label' | 'a' | 'button');

/** Pixels between and around things. */
type Space = 2 | 4 | 6 | 8 | 10 | 12 | 16 | 20 | 24 | 32;

/** What every part takes besides the properties of its element. */
interface Look {
  /** The margin above and below. */
  mt?: Exclude<Space, 2 | 32>;
  mb?: Exclude<Space, 2 | 32>;
  /** The padding above and below. */
  py?: Exclude<Space, 16 | 20 | 24 | 32>;
  /** A line at its edge, or a frame around it. */
  line?: 'above' | 'below' | 'hair-above';
  framed?: boolean;
  /** Pushes it to the end of its row. */
  ml?: 'auto';
  /** Takes the room that its row has left, or never shrinks. */
  grow?: boolean;
  fixed?: boolean;
  tone?: 'soft' | 'bad' | 'warn' | 'accent';
  size?: 12 | 13 | 15 | 16;
  weight?: 400 | 600;
  /** Where words break; `pre-line` and `pre-wrap` also keep line breaks, as in CSS. */
  breaks?: 'never' | 'ellipsis' | 'anywhere' | 'pre-line' | 'pre-wrap';
  /** Aligns the text at the end of its line. */
  end?: boolean;
  /** Gives a part of a text lines of its own. */
  block?: boolean;
  /** Leaves it out on paper. */
  noPrint?: boolean;
}

interface Inside {
  /** The space between children: one number, or one between rows and one between columns. */
  gap?: Space | `${Space | 0} ${Space | 0}`;
  align?: 'start' | 'center' | 'end' | 'baseline';
  justify?: 'start' | 'center' | 'end' | 'between';
}

interface Flow extends Inside {
  wrap?: boolean;
  /** As wide as its content, within a text. */
  inline?: boolean;
}

interface Pile extends Inside {
  /** Puts the only child into the middle. */
  centre?: boolean;
}

interface Cells extends Inside {
  /** Equal columns; other columns are `grid-template-columns` of the page's sheet. */
  columns?: 1 | 2;
}

type Props<As extends Tag, Own = object> = Own &
  Look & { as?: As } & Omit<ComponentPropsWithRef<As>, keyof (Own & Look) | 'as'>;

/** The classes of the properties that are given, and all other properties. */
function split({ gap, ...given }: Pick<Inside, 'gap'>) {
  const rest: { className?: string; [name: string]: unknown } = {};
  const names = gapNames(gap);
  for (const [name, value] of Object.entries(given)) {
    if (!lookNames.has(name)) rest[name] = value;
    else if (value !== undefined && value !== false) names.push(value === true ? name : `${name}-${value}`);
  }
  return { rest, names: names.map((name) => styles[name]) };
}

const lookNames = new Set(
  'mt mb py line framed ml grow fixed tone size weight breaks end block noPrint align justify wrap inline columns centre'.split(
    ' ',
  ),
);

function gapNames(gap: Inside['gap']): string[] {
  if (gap === undefined) return [];
  const [rows, columns = rows] = String(gap).split(' ');
  return [`rows-${rows}`, `gap-${columns}`].filter((name) => !name.endsWith('-0'));
}

/** Draws an element with the class of its part and those of its properties. */
function draw(tag: Tag, name: string | undefined, given: object) {
  const Element = tag as unknown as ComponentType<{ className?: string }>;
  const { rest, names } = split(given);
  return <Element {...rest} className={classNames(name && styles[name], ...names, rest.className)} />;
}

/** Children beside each other. */
export const Row = <As extends Tag = 'div'>({ as, ...given }: Props<As, Flow>) => draw(as ?? 'div', 'row', given);

/** Children below each other. */
export const Stack = <As extends Tag = 'div'>({ as, ...given }: Props<As, Pile>) => draw(as ?? 'div', 'stack', given);

/** Children in columns. */
export const Grid = <As extends Tag = 'div'>({ as, ...given }: Props<As, Cells>) => draw(as ?? 'div', 'stack', given);

/** A list without points. */
export const List = <As extends 'ul' | 'ol' = 'ul'>({ as, ...given }: Props<As>) => draw(as ?? 'ul', 'list', given);

/** A table with a line below each row; cells with `data-kind` `number` or `money` are at the right. */
export const Table = ({ className, ...given }: ComponentPropsWithRef<'table'>) => (
  <table {...given} className={classNames(styles.table, className)} />
);

/** A framed part of a page. */
export const Panel = <As extends Tag = 'div'>({ as, ...given }: Props<As>) =>
  draw(as ?? 'div', 'panel', { framed: true, ...given });

/** Words in another tone, size or weight. */
export const Text = <As extends Tag = 'p'>({ as, ...given }: Props<As>) => draw(as ?? 'p', undefined, given);

/** Anything else that needs space around it. */
export const Box = <As extends Tag = 'div'>({ as, ...given }: Props<As>) => draw(as ?? 'div', undefined, given);
