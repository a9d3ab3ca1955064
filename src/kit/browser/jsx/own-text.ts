import { Trans } from '@lingui/react';
import { type ComponentType, createElement, type ElementType, Fragment, type ReactNode } from 'react';

// A browser that translates a page puts other nodes in the place of texts. React then neither finds a text to change it or
// remove it, nor can put something before it. So a text that has siblings gets an element of its own, which React finds.

const textElement = 'x-t';

interface Props {
  children?: ReactNode;
  component?: ComponentType<TransProps>;
}

interface TransProps {
  children?: ReactNode;
}

const isText = (child: unknown) => typeof child === 'string' || typeof child === 'number';
/** Draws nothing. */
const isEmpty = (child: unknown) => child == null || typeof child === 'boolean' || child === '';
const own = (words: string) => (words.trim() ? createElement(textElement, null, words) : words);

/** Of nested children their texts alone. */
const textOf = (children: ReactNode): string =>
  Array.isArray(children) ? children.map(textOf).join('|') : isText(children) ? String(children) : '';

/** A translated text; one with elements inside is drawn as a new one when its words change. */
const OwnText = ({ children }: TransProps) =>
  createElement(textElement, isText(children) ? null : { key: textOf(children) }, children);

/** Joins neighbouring texts, and gives each of them an element, unless there is nothing else. */
function wrapTexts(children: readonly ReactNode[]): ReactNode {
  if (children.every((child) => isText(child) || isEmpty(child))) return children.filter(isText).join('');
  const wrapped: ReactNode[] = [...children];
  let first = -1;
  let words = '';
  for (const [place, child] of children.entries())
    if (isEmpty(child)) wrapped[place] = null;
    else if (isText(child)) {
      if (first < 0) [first, words] = [place, ''];
      words += String(child);
      wrapped[place] = null;
      wrapped[first] = own(words);
    } else first = -1;
  return wrapped;
}

/** The properties of an element in which every text that has siblings stands in an element of its own. */
export function withOwnText(type: ElementType, props: Props, isStatic: boolean): Props {
  if (type === (Trans as unknown)) return { component: OwnText, ...props };
  const { children } = props;
  // An option draws nothing but text, and React joins its texts.
  if (type === 'option') return props;
  if (isStatic && Array.isArray(children)) return { ...props, children: wrapTexts(children) };
  return type === Fragment && isText(children) ? { ...props, children: own(String(children)) } : props;
}
