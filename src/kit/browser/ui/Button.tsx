import type {
  AnchorHTMLAttributes,
  ButtonHTMLAttributes,
  ComponentProps,
  ComponentType,
  LabelHTMLAttributes,
  Ref,
} from 'react';
import styles from './Button.module.css';
import { classNames } from './class-names.ts';
import { type PageAddress, PageLink, type PageLinkProps, ServedLink } from './PageLink.tsx';

interface Look {
  /** `quiet` buttons stand beside their subject; `link` buttons within a sentence or as a row's name. */
  kind?: 'main' | 'plain' | 'bad' | 'quiet' | 'link';
  /** Aligns the text of a quiet button with the text above and below it, at that side. */
  edge?: 'start' | 'end';
  /** Classes for its place in the page: margin, order or width. */
  className?: string;
}

const lookOf = ({ kind = 'plain', edge, className }: Look) =>
  classNames(kind !== 'link' && styles.button, styles[kind], edge && styles[edge], className);

interface ButtonProps extends Look, Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  ref?: Ref<HTMLButtonElement>;
  /** Its action is running. */
  isBusy?: boolean;
}

/** A button. It does not submit a form unless its type says so. */
export const Button = ({ kind, edge, className, isBusy, type = 'button', ...rest }: ButtonProps) => (
  <button type={type} aria-disabled={isBusy} {...rest} className={lookOf({ kind, edge, className })} />
);

// The router's own types know only one page at a time.
const AnyPageLink = PageLink as unknown as ComponentType<{ className?: string }>;

/** A link to a page that looks like a button. */
export const ButtonLink = <const To extends PageAddress>({ kind, edge, ...rest }: Look & PageLinkProps<To>) => (
  <AnyPageLink {...rest} className={lookOf({ kind, edge, className: rest.className })} />
);

/** A link to an address that the server sent, which looks like a button. */
export const ServedButton = ({ kind, edge, ...rest }: Look & ComponentProps<typeof ServedLink>) => (
  <ServedLink {...rest} className={lookOf({ kind, edge, className: rest.className })} />
);

/** A link elsewhere, such as to a file, that looks like a button. */
export const ButtonAnchor = ({
  kind,
  edge,
  className,
  ...rest
}: Look & AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> }) => (
  <a {...rest} className={lookOf({ kind, edge, className })} />
);

/** The label of a file input, which is its visible button. */
export const ButtonLabel = ({ kind, edge, className, ...rest }: Look & LabelHTMLAttributes<HTMLLabelElement>) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: its user gives it the control.
  <label {...rest} className={lookOf({ kind, edge, className })} />
);
