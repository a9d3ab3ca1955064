// As `jsx-runtime.ts`, for development and tests.
import type { ElementType, Key } from 'react';
import { jsxDEV as element, Fragment, type JSXSource } from 'react/jsx-dev-runtime';
import { withOwnText } from './own-text.ts';

export { Fragment };

export const jsxDEV = (
  type: ElementType,
  props: object,
  key: Key | undefined,
  isStatic: boolean,
  source?: JSXSource,
  self?: unknown,
) => {
  const wrapped = withOwnText(type, props, isStatic);
  return element(type, wrapped, key, isStatic && Array.isArray(wrapped.children), source, self);
};
