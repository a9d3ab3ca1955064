// What `own-text.ts` does for React, for the page that Preact draws. Preact changes a text by its node, which a browser that
// translates the page has replaced; React sets the text of an element that has nothing else.
import { options as preact, type VNode } from 'preact';

/** A node of Preact with its children and the element or text that it drew, by Preact's short names. */
interface Drawn {
  type: unknown;
  __e?: Node;
  __k?: (Drawn | null)[] | null;
}

const { diffed } = preact;
/** Elements with one text and nothing else, as they were drawn last. */
const texts = new WeakMap<Element, { node: Text; words: string }>();

preact.diffed = (vnode: VNode) => {
  diffed?.(vnode);
  const { type, __e: element, __k: children } = vnode as unknown as Drawn;
  if (typeof type !== 'string' || !(element instanceof Element)) return;
  const [only] = children?.length === 1 ? children : [];
  const node = only?.__e instanceof Text ? only.__e : undefined;
  const before = texts.get(element);
  if (before && (before.node !== node || before.words !== node.data)) {
    // The words that a browser has put in the text's place.
    for (const child of [...element.children]) if (child.localName === 'font') child.remove();
    if (node && node.parentNode !== element) element.append(node);
  }
  if (node) texts.set(element, { node, words: node.data });
  else texts.delete(element);
};
