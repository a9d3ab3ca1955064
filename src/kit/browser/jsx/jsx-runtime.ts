// What JSX compiles to (vite.config.ts): React's own, with an element for each text that has siblings (decision 0111).
import type { ElementType, Key } from 'react';
import { jsx as element, jsxs as elements, Fragment } from 'react/jsx-runtime';
import { withOwnText } from './own-text.ts';

export { Fragment };

export const jsx = (type: ElementType, props: object, key?: Key) => element(type, withOwnText(type, props, false), key);

export const jsxs = (type: ElementType, props: object, key?: Key) =>
  elements(type, withOwnText(type, props, true), key);
