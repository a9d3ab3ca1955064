/**
 * Translates the document as a browser does: each text, now and later, gives way to an element with other words, marked by
 * a leading ◊. Returns a function that ends it.
 */
export function translateDocument(): () => void {
  // Within the function, since a browser test sends it to the page.
  const untouched = 'script, style, textarea, title, [translate=no], .notranslate';
  const translated = new WeakSet<Node>();
  const replace = (text: Node) => {
    const parent = text.parentElement;
    const words = text.nodeValue ?? '';
    if (!parent || words.trim() === '' || translated.has(text) || parent.closest(untouched)) return;
    const outer = document.createElement('font');
    const inner = document.createElement('font');
    const translation = document.createTextNode(`◊${words}`);
    translated.add(translation);
    inner.append(translation);
    outer.append(inner);
    parent.replaceChild(outer, text);
  };
  const replaceIn = (node: Node) => {
    if (node.nodeType === Node.TEXT_NODE) return replace(node);
    // Copied first, since a replaced text is no longer among its siblings.
    for (const child of [...node.childNodes]) replaceIn(child);
  };
  replaceIn(document.body);
  const observer = new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'characterData') replace(target);
      for (const node of addedNodes) if (node.isConnected) replaceIn(node);
    }
  });
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  return () => observer.disconnect();
}
