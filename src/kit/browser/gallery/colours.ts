import { type Colours, showColours } from '#kit/browser/ui/colours.ts';

const key = 'colours';

/** The colours that the address asks for: `/dev/kit?colours=dark`. */
export function readAddress(): Colours {
  const wanted = new URLSearchParams(location.search).get(key);
  return wanted === 'light' || wanted === 'dark' ? wanted : 'device';
}

/** Shows the gallery in light or dark colours, whatever the device asks for, and keeps the choice in the address alone. */
export function showInAddress(colours: Colours) {
  const address = new URL(location.href);
  if (colours === 'device') address.searchParams.delete(key);
  else address.searchParams.set(key, colours);
  history.replaceState(history.state, '', address);
  showColours(colours);
}
