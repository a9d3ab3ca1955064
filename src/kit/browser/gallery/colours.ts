/** '' for the system's colours. */
export type Colours = '' | 'light' | 'dark';

const key = 'colours';

/** The colours in the address: `/dev/kit?colours=dark`. */
export function readColours(): Colours {
  const wanted = new URLSearchParams(location.search).get(key);
  return wanted === 'light' || wanted === 'dark' ? wanted : '';
}

/** Shows the page in light or dark colours, whatever the system's setting, and keeps the choice in the address. */
export function showColours(colours: Colours) {
  const address = new URL(location.href);
  if (colours) address.searchParams.set(key, colours);
  else address.searchParams.delete(key);
  history.replaceState(history.state, '', address);
  for (const sheet of document.styleSheets) for (const rule of sheet.cssRules) forceColours(rule, colours);
}

const asksForDark = '(prefers-color-scheme: dark)';
const always = '(min-width: 0px)';
const never = '(max-width: 0px)';
/** The original text of a changed media query. */
const queries = new WeakMap<CSSMediaRule, string>();

// Style sheets choose colours by media queries of the system's setting, so a page can override it only by changing the
// queries.
function forceColours(rule: CSSRule, colours: Colours) {
  if (!(rule instanceof CSSMediaRule)) return;
  const query = queries.get(rule) ?? rule.media.mediaText;
  queries.set(rule, query);
  rule.media.mediaText = colours ? query.replace(asksForDark, colours === 'dark' ? always : never) : query;
}
